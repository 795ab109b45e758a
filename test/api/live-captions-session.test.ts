/** Live captions with a console session, whose URL contains no token. */
import { issueApiKey, revokeApiKey } from '../../db/organizations/api-keys';
import { endSession, findSession, openSession } from '../../db/organizations/console-tokens';
import { describeWith } from '../servers/availability';
import { CaptionListener } from './support/caption-listener';
import { CaptionsRig } from './support/captions-rig';
import type { TestOrganization } from './support/test-api';

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

  test('closes the captions of an ended session or revoked key, but not those of others', async () => {
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
