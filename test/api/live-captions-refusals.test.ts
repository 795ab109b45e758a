/** Limits of live captions: who may listen, how many listeners are allowed, and what they may send. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { valueOf } from '../servers/scrape';
import { CaptionListener } from './support/caption-listener';
import { RawConnection } from './support/raw-connection';
import { describeWith } from '../servers/availability';
import { CaptionsRig } from './support/captions-rig';
import { issueApiKey, revokeApiKey } from '../../db/organizations/api-keys';
import { endSession, findSession, openSession } from '../../db/organizations/console-tokens';
import type { TestOrganization } from './support/test-api';

jest.setTimeout(120_000);

const DAY_MS = 86_400_000;

describeWith('postgres', 'a listener to live captions', () => {
  let rig: CaptionsRig;

  beforeAll(async () => {
    rig = await CaptionsRig.open();
  });
  afterAll(() => rig.close());
  afterEach(() => rig.hangUp());

  describe('before the upgrade', () => {
    test('returns the same 401 for a token of another call, a forged one and an unknown call', async () => {
      const [callId, otherId] = [await rig.live(), await rig.live()];
      const token = rig.addressOf(otherId).split('/').at(-2) ?? '';
      const own = rig.addressOf(callId).split('/').at(-2) ?? '';
      const base = rig.addressOf(callId).split('/').slice(0, -2).join('/');
      for (const address of [
        `${base}/${token}/${callId}`,
        `${base}/${own.slice(0, -1)}/${callId}`,
        `${base}/x/${callId}`,
        rig.addressOf('outbound-1-unknown'),
      ]) {
        expect(await CaptionListener.refusal(address)).toMatchObject({
          status: 401,
          code: 'INVALID_SIGNATURE',
        });
      }
    });

    test('rejects a URL that is a day old, but keeps connections that are open', async () => {
      const callId = await rig.live();
      const address = rig.addressOf(callId);
      const listener = await rig.listen(address);
      rig.api.clock.time += DAY_MS - 1_000;
      await rig.listen(address);
      rig.api.clock.time += 1_000;
      expect(await CaptionListener.refusal(address)).toMatchObject({
        status: 401,
        code: 'INVALID_SIGNATURE',
      });
      await rig.say(callId, 1_000);
      await listener.until(({ types }) => types.includes('transcript'));
    });

    test('rejects a token whose expiry was changed', async () => {
      const callId = await rig.live();
      const address = rig
        .addressOf(callId)
        .replace(/(?<=\/ws\/)\d+/, (expires) => String(Number(expires) + 1));
      expect(await CaptionListener.refusal(address)).toMatchObject({ status: 401 });
    });

    test('rejects a malformed `after` and an unknown path', async () => {
      const callId = await rig.live();
      for (const after of ['x', '-1', '1.5', '99999999999'])
        expect(await CaptionListener.refusal(`${rig.addressOf(callId)}?after=${after}`)).toMatchObject({
          status: 422,
          code: 'query.after',
        });
      for (const path of ['', '/x', `/a/b/${callId}`, '/%2e%2e/x', '/token/ab'])
        expect(
          await CaptionListener.refusal(
            `${rig.api.url.replace('http', 'ws')}/api/live-transcripts/ws${path || '/'}`,
          ),
        ).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    });

    test('returns 429 when the call has the maximum number of listeners, until one leaves', async () => {
      const callId = await rig.live();
      const [first] = await Promise.all([0, 1, 2].map(() => rig.listen(rig.addressOf(callId))));
      const refused = await CaptionListener.refusal(rig.addressOf(callId));
      expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      first?.close();
      let isIn = false;
      while (!isIn)
        isIn = await rig.listen(rig.addressOf(callId)).then(
          () => true,
          () => false,
        );
    });

    test("doesn't count an incomplete handshake as a listener", async () => {
      const callId = await rig.live();
      const { pathname } = new URL(rig.addressOf(callId));
      const { hostname, port } = new URL(rig.api.url);
      for (let n = 0; n < 5; n++) {
        const socket = connect(Number(port), hostname);
        socket.write(
          `GET ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        );
        const [answer] = await once(socket, 'data');
        expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
        socket.destroy();
      }
      await rig.listen(rig.addressOf(callId));
    });
  });

  test('responds normally to an upgrade request for another protocol', async () => {
    const { port } = new URL(rig.api.url);
    const connection = await RawConnection.open(Number(port));
    const body = JSON.stringify({ agent_display_name: 'Java', config: {} });
    const send = (path: string, method: string, text: string) =>
      connection.write(
        [
          `${method} ${path} HTTP/1.1`,
          'Host: x',
          `X-API-Key: ${rig.api.organization.key}`,
          'Connection: Upgrade, HTTP2-Settings',
          'Upgrade: h2c',
          'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(text)}`,
          '',
          text,
        ].join('\r\n'),
      );
    send('/api/create-agent', 'POST', body);
    expect(await connection.answer()).toMatch(/^HTTP\/1\.1 200 OK[^]*"agent_name":"Java"/);
    connection.socket.destroy();
  });

  test('drops a listener that sends too many messages or too large a frame', async () => {
    const callId = await rig.live();
    const [large, noisy] = [await rig.listen(rig.addressOf(callId)), await rig.listen(rig.addressOf(callId))];
    large.socket.send('x'.repeat(16 * 1024 + 1));
    expect((await large.closed).code).toBe(1009);
    for (let n = 0; n < 200; n++) noisy.socket.send('hello');
    expect((await noisy.closed).code).toBe(1006);
    expect(
      valueOf(await rig.api.scrape(), 'voice_agent_caption_listeners_dropped_total', { reason: 'noisy' }),
    ).toBe(1);
  });

  test('counts a listener in the metrics without naming it', async () => {
    const callId = await rig.live();
    const before = valueOf(await rig.api.scrape(), 'voice_agent_caption_listeners') ?? 0;
    const listener = await rig.listen(rig.addressOf(callId));
    expect(valueOf(await rig.api.scrape(), 'voice_agent_caption_listeners')).toBe(before + 1);
    listener.close();
    expect(await rig.api.scrape()).not.toContain(callId);
    expect(rig.api.logLines().join('\n')).not.toContain('live-transcripts');
  });

  test("drops a listener that doesn't read, without losing segments of others", async () => {
    const callId = await rig.live();
    const [slow, quick] = [await rig.listen(rig.addressOf(callId)), await rig.listen(rig.addressOf(callId))];
    slow.socket.pause();
    const dropped = async () =>
      valueOf(await rig.api.scrape(), 'voice_agent_caption_listeners_dropped_total', { reason: 'slow' });
    let lines = 0;
    // This takes more than the buffers of the operating system hold.
    while ((await dropped()) !== 1) {
      await rig.api.db.raw(
        `insert into call_segments (call_id, start_ms, speaker, end_ms, text) values (:callId, :lines, 'user', 0, repeat('x', 500000))`,
        { callId, lines },
      );
      lines += 1;
      await quick.until(({ said }) => said.length === lines);
    }
    expect(quick.seqs).toEqual(Array.from({ length: lines }, (_none, n) => n + 1));
    slow.socket.resume();
    expect((await slow.closed).code).toBe(1006);
  });
});

describeWith('postgres', 'a listener', () => {
  let rig: CaptionsRig;

  beforeAll(async () => {
    rig = await CaptionsRig.open({ pingMs: 2_500, limits: { perCallAndMinute: 2 } });
  });
  afterAll(() => rig.close());
  afterEach(() => rig.hangUp());

  test('drops a listener that ignores pings, and keeps a listener that answers them', async () => {
    const callId = await rig.live();
    const alive = await rig.listen(rig.addressOf(callId));
    const dead = await rig.listen(rig.addressOf(callId), { autoPong: false });
    expect((await dead.closed).code).toBe(1006);
    await alive.until(({ pings }) => pings > 2);
    expect(
      valueOf(await rig.api.scrape(), 'voice_agent_caption_listeners_dropped_total', { reason: 'silent' }),
    ).toBe(1);
  });

  test('returns 429 to a listener that reconnects too often', async () => {
    const callId = await rig.live();
    for (const _time of [1, 2]) (await rig.listen(rig.addressOf(callId))).close();
    const { status, headers } = await CaptionListener.refusal(rig.addressOf(callId));
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await rig.listen(rig.addressOf(await rig.live()));
  });
});

/** Live captions with a console session, whose URL contains no token. */
describeWith('postgres', 'live captions with a console session', () => {
  let rig: CaptionsRig;
  beforeAll(async () => {
    rig = await CaptionsRig.open({ pingMs: 3_000 });
  });
  afterAll(() => rig.close());
  afterEach(() => rig.hangUp());

  async function cookie(
    { id }: TestOrganization,
    scopes: ('read' | 'operate')[] = ['read'],
  ): Promise<string> {
    const { db, clock } = rig.api;
    const key = await issueApiKey(db, id, { scopes });
    return `console_session=${(await openSession(db, key.id, clock.now())).token}`;
  }

  const addressOf = (callId: string): string =>
    `${rig.api.url.replace('http', 'ws')}/api/live-transcripts/ws/${callId}`;

  test("sends captions to pages from the request's own host and from the public URL", async () => {
    const callId = await rig.live();
    const Cookie = await cookie(rig.api.organization);
    for (const Origin of [rig.api.url, 'https://calls.example.test']) {
      const listener = await rig.listen(addressOf(callId), { headers: { Cookie, Origin } });
      await rig.say(callId, 1_000);
      await listener.until(({ said }) => said.length > 0);
    }
  });

  test('closes captions when their session ends or its key is revoked, and keeps those of other sessions', async () => {
    const { db, clock, organization, url: Origin } = rig.api;
    const callId = await rig.live();
    const cookies = [await cookie(organization), await cookie(organization), await cookie(organization)];
    const [bySession, byKey, other] = await Promise.all(
      cookies.map((Cookie) => rig.listen(addressOf(callId), { headers: { Cookie, Origin } })),
    );
    const sessionIn = (text = '') => findSession(db, text.split('=')[1] ?? '', clock.now());
    await endSession(db, (await sessionIn(cookies[0]))?.token ?? '');
    await revokeApiKey(db, (await sessionIn(cookies[1]))?.holder.keyId ?? '', clock.now());
    for (const listener of [bySession, byKey]) expect((await listener?.closed)?.code).toBe(1008);
    await rig.say(callId, 1_000);
    await other?.until(({ said }) => said.length > 0);
  });

  test.each([['https://elsewhere.example.test'], ['null'], [undefined]])(
    'returns 403 to a page of the origin %s, even with a valid cookie',
    async (origin) => {
      const headers = {
        Cookie: await cookie(rig.api.organization),
        ...(origin !== undefined && { Origin: origin }),
      };
      const refusal = await CaptionListener.refusal(addressOf(await rig.live()), { headers });
      expect(refusal).toMatchObject({ status: 403, code: 'FOREIGN_ORIGIN' });
    },
  );

  test.each([['https://elsewhere.example.test'], [undefined]])(
    'returns 401 without session and token to a client with the origin %s',
    async (origin) => {
      const headers: Record<string, string> = origin === undefined ? {} : { Origin: origin };
      expect(await CaptionListener.refusal(addressOf(await rig.live()), { headers })).toMatchObject({
        status: 401,
        code: 'INVALID_SIGNATURE',
      });
    },
  );

  test('returns 401 for an unknown session, and 403 for a key without the scope read', async () => {
    const address = addressOf(await rig.live());
    const refusalOf = (Cookie: string) =>
      CaptionListener.refusal(address, { headers: { Cookie, Origin: rig.api.url } });
    expect(await refusalOf('console_session=unknown')).toMatchObject({
      status: 401,
      code: 'INVALID_SESSION',
    });
    expect(await refusalOf(await cookie(rig.api.organization, ['operate']))).toMatchObject({
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
    });
  });

  test("returns the same 404 for another organization's call and an unknown one", async () => {
    const headers = { Cookie: await cookie(rig.api.stranger), Origin: rig.api.url };
    for (const callId of [await rig.live(), 'outbound-1-unknown'])
      expect(await CaptionListener.refusal(addressOf(callId), { headers })).toMatchObject({
        status: 404,
        code: 'CALL_NOT_FOUND',
      });
  });
});
