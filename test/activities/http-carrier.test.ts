/** Runs the telephony port against the simulator, and against servers that break the protocol. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpCarrier } from '../../activities/telephony/http/http-carrier';
import { CarrierUnreachable, RouteRefused, type DialRequest } from '../../activities/telephony/port';
import { createSimulator, type Simulator } from '../../dev/simulator/app';
import { Link } from '../../verify/faults/network/link';

const SECRET = 'shared with the carrier';

const request = (digits: string, changes: Partial<DialRequest> = {}): DialRequest => ({
  reference: `outbound-1-${digits}`,
  to: `+9198765432${digits}`,
  from: null,
  notAfter: new Date(Date.now() + 3_000),
  ringTimeoutS: 30,
  maxTalkS: 600,
  amd: false,
  agent: { name: 'Asha', greeting: 'Hello.', prompt: 'Talk.' },
  variables: { name: 'Ravi' },
  ...changes,
});

const carrierAt = (carrierUrl: string, secret = SECRET) =>
  httpCarrier({ carrierUrl, secret, eventsUrl: 'http://127.0.0.1:9/events', clock: Date.now });

describe('the HTTP carrier against the simulator', () => {
  let folder: string;
  let simulator: Simulator;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'http-carrier-'));
    simulator = createSimulator({
      secret: SECRET,
      logPath: join(folder, 'simulator.jsonl'),
      ringMs: 60_000,
      lookupLagMs: 0,
      eventRetryDelaysMs: [],
    });
    url = `http://127.0.0.1:${await simulator.listen(0)}`;
  });
  afterAll(async () => {
    await simulator.close();
    rmSync(folder, { recursive: true });
  });

  test('places a call, finds it by its reference and hangs it up once', async () => {
    const carrier = carrierAt(url);
    const answer = await carrier.dial(request('00'));
    const [found] = (await carrier.find('outbound-1-00')).calls;
    expect(answer).toEqual({ kind: 'placed', carrierId: found?.carrierId });
    expect(found).toMatchObject({
      reference: 'outbound-1-00',
      endReason: null,
      answeredBy: null,
      answeredAt: null,
      endedAt: null,
      transcript: [],
    });
    const carrierId = found?.carrierId ?? '';
    expect(await carrier.hangUp(carrierId)).toBe('ending');
    expect(await carrier.hangUp(carrierId)).toBe('over');
    expect((await carrier.find('outbound-1-00')).calls[0]).toMatchObject({
      state: 'ended',
      endReason: 'platform',
    });
  });

  test("sets and removes a number's route, even when a request is repeated", async () => {
    const carrier = carrierAt(url);
    const number = '+918040001000';
    const agent = { name: 'Asha', greeting: 'Hello.', prompt: 'Talk.' };
    const ringsIn = () =>
      fetch(`${url}/inbound-calls`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify({ to: number, from: '+919876543210' }),
      });
    await carrier.setInboundRoute({ number, agent });
    await carrier.setInboundRoute({ number, agent });
    expect((await ringsIn()).status).toBe(201);
    await carrier.removeInboundRoute(number);
    await carrier.removeInboundRoute(number);
    expect((await ringsIn()).status).toBe(404);
  });

  test('rejects the route of a malformed number without repeating the number', async () => {
    const agent = { name: 'Asha', greeting: 'Hello.', prompt: 'Talk.' };
    const refused = carrierAt(url).setInboundRoute({ number: '080-4000', agent });
    await expect(refused).rejects.toEqual(new RouteRefused('the carrier rejected a route with status 400'));
  });

  test('finds the caller ID of a call', async () => {
    const from = '+918040000001';
    await carrierAt(url).dial(request('51', { from }));
    await carrierAt(url).dial(request('52'));
    const shown = async (digits: string) =>
      (await carrierAt(url).find(`outbound-1-${digits}`)).calls[0]?.fromNumber;
    expect([await shown('51'), await shown('52')]).toEqual([from, null]);
  });

  test('returns unknown when the response to a dial is lost, and finds the call by look-up', async () => {
    const carrier = carrierAt(url);
    expect(await carrier.dial(request('93'))).toEqual({ kind: 'unknown' });
    expect((await carrier.find('outbound-1-93')).calls).toHaveLength(1);
  });

  test('returns unknown when a proxy responds to a dial with 503, and finds the call by look-up', async () => {
    const proxy = await Link.open(Number(new URL(url).port));
    const carrier = carrierAt(`http://${proxy.host}`);
    proxy.loseAnswers(1, 'page');
    expect(await carrier.dial(request('04'))).toEqual({ kind: 'unknown' });
    expect((await carrier.find('outbound-1-04')).calls).toHaveLength(1);
    await proxy.close();
  });

  test('treats a 503 or 429 of the carrier as not placed, and reports when to retry', async () => {
    const carrier = carrierAt(url);
    expect(await carrier.dial(request('95'))).toEqual({ kind: 'notPlaced', retryAfterMs: null });
    expect(await carrier.dial(request('96'))).toEqual({ kind: 'notPlaced', retryAfterMs: 1_000 });
    expect((await carrier.find('outbound-1-95')).calls).toEqual([]);
    expect((await carrier.dial(request('95'))).kind).toBe('placed');
    expect((await carrier.dial(request('96'))).kind).toBe('placed');
  });

  test('reports an invalid number', async () => {
    expect(await carrierAt(url).dial(request('89'))).toEqual({ kind: 'invalidNumber' });
  });

  test('places no call for a request that arrives too late', async () => {
    const late = request('01', { notAfter: new Date(Date.now() - 1) });
    expect(await carrierAt(url).dial(late)).toEqual({ kind: 'notPlaced', retryAfterMs: null });
    expect((await carrierAt(url).find('outbound-1-01')).calls).toEqual([]);
  });

  test('reports the names of the faulty fields', async () => {
    expect(await carrierAt(url).dial(request('02', { to: 'Asha', ringTimeoutS: -1 }))).toEqual({
      kind: 'refused',
      faults: 'to,ring_timeout_s',
    });
  });

  test("can't dial, look up or hang up when the secret is wrong", async () => {
    const stranger = carrierAt(url, 'another secret');
    expect(await stranger.dial(request('03'))).toEqual({
      kind: 'notPlaced',
      retryAfterMs: null,
      because: 'carrier_key',
    });
    await expect(stranger.find('outbound-1-03')).rejects.toThrow(CarrierUnreachable);
    await expect(stranger.hangUp('sim-1')).rejects.toThrow(CarrierUnreachable);
  });

  test('finds no call with an unknown reference, and reports an unknown call as over', async () => {
    expect((await carrierAt(url).find('outbound-0-none')).calls).toEqual([]);
    expect(await carrierAt(url).hangUp('nobody/../x')).toBe('over');
  });
});

test.each(['127.0.0.1', 'localhost'])('returns notPlaced when no server is listening on %s', async (host) => {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const carrier = carrierAt(`http://${host}:${port}`);
  expect(await carrier.dial(request('00'))).toEqual({ kind: 'notPlaced', retryAfterMs: null });
  await expect(carrier.find('outbound-1-00')).rejects.toThrow(CarrierUnreachable);
  await expect(carrier.hangUp('sim-1')).rejects.toThrow(CarrierUnreachable);
});

describe('the HTTP carrier when the server misbehaves', () => {
  let answer: (response: http.ServerResponse, request: http.IncomingMessage) => void;
  let server: http.Server;
  let url: string;
  beforeAll(async () => {
    server = http.createServer((received, response) => {
      received.resume();
      received.on('end', () => answer(response, received));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const answers = (status: number, body = '', headers: http.OutgoingHttpHeaders = {}) => {
    answer = (response) => response.writeHead(status, headers).end(body);
  };

  test.each([
    ['201 without an id', 201, '{}'],
    ['201 with an id that is not text', 201, '{"carrier_id": 7}'],
    ['201 that is not JSON', 201, '<html>'],
    ['200', 200, '{"carrier_id": "sim-1"}'],
    ['201 whose placed is false', 201, '{"placed": false}'],
    ['200 whose placed is false', 200, '{"placed": false}'],
    ['418', 418, ''],
    ['400 of a proxy', 400, '<html>Bad Request</html>'],
    ['401 of a proxy', 401, ''],
    ['403 of a proxy', 403, '<html>Forbidden</html>'],
    ['404 of a proxy', 404, 'not found'],
    ['410 of a proxy', 410, ''],
    ['422 of a framework', 422, '{"code": "INVALID_NUMBER"}'],
    ['429 of a proxy', 429, '{"retry_after_s": 1}'],
    ['500', 500, ''],
    ['502', 502, 'bad gateway'],
    ['503 of a proxy', 503, '<html><h1>503 Service Unavailable</h1></html>'],
    ['503 whose JSON breaks off', 503, '{"placed": false'],
    ['503 with JSON that is not an object', 503, '[{"placed": false}]'],
    ['503 whose placed is a string', 503, '{"placed": "false"}'],
    ['503 whose placed is null', 503, '{"placed": null, "code": "UNAVAILABLE"}'],
    ['503 whose placed is true', 503, '{"placed": true, "code": "UNAVAILABLE"}'],
  ])('returns unknown for the response %s', async (_what, status, body) => {
    answers(status, body);
    expect(await carrierAt(url).dial(request('00'))).toEqual({ kind: 'unknown' });
  });

  test("returns unknown for a redirect, which it doesn't follow", async () => {
    let asked = 0;
    answer = (response) => {
      asked++;
      response.writeHead(307, { location: '/elsewhere' }).end();
    };
    expect(await carrierAt(url).dial(request('00'))).toEqual({ kind: 'unknown' });
    expect(asked).toBe(1);
  });

  test('returns unknown when the connection breaks off', async () => {
    answer = (response) => response.socket?.destroy();
    expect(await carrierAt(url).dial(request('00'))).toEqual({ kind: 'unknown' });
    await expect(carrierAt(url).find('x')).rejects.toThrow(CarrierUnreachable);
  });

  test.each([
    ['{"placed": false, "retry_after_s": 2.5}', 2_500],
    ['{"placed": false, "retry_after_s": "soon"}', null],
    ['{"placed": false}', null],
  ])('reads the retry delay of a 429 with %s', async (body, retryAfterMs) => {
    answers(429, body);
    expect(await carrierAt(url).dial(request('00'))).toEqual({ kind: 'notPlaced', retryAfterMs });
  });

  test.each([402, 403, 404, 410, 500, 502, 503])(
    'returns notPlaced when the body of a %d says so',
    async (status) => {
      answers(status, '{"placed": false, "code": "OF_ITS_OWN"}');
      expect(await carrierAt(url).dial(request('00'))).toEqual({ kind: 'notPlaced', retryAfterMs: null });
    },
  );

  test.each([
    [['from'], { because: 'caller_id' }],
    [['agent.prompt', 'amd'], { because: 'request' }],
    [['from', 'to'], {}],
    [['variables.name'], {}],
    [[], {}],
  ])('reports a setup fault only if every call would fail: faulty fields %j', async (faults, because) => {
    answers(400, JSON.stringify({ placed: false, faults }));
    expect(await carrierAt(url).dial(request('00'))).toEqual({
      kind: 'refused',
      faults: faults.join(','),
      ...because,
    });
  });

  test("removes quoted values from the carrier's faults", async () => {
    answers(
      400,
      '{"placed": false, "faults": ["to", {"field": "variables.name"}, "+919876543210", {"field": "Asha Rao"}, 7, null]}',
    );
    expect(await carrierAt(url).dial(request('00'))).toEqual({
      kind: 'refused',
      faults: 'to,variables.name',
    });
  });

  test.each([
    ['no JSON', 200, '<html>'],
    ['no calls', 200, '{}'],
    ['an unknown state', 200, '{"calls": [{"carrier_id": "a", "reference": "r", "state": "exploded"}]}'],
    [
      'a malformed instant',
      200,
      '{"calls": [{"carrier_id":"a","reference":"r","state":"ended","ended_at":"x"}]}',
    ],
    ['a wrong status', 500, '{"calls": []}'],
    ['too much', 200, `{"calls": [], "more": "${'x'.repeat(5 * 1024 * 1024)}"}`],
  ])('throws when the carrier responds to a look-up with %s', async (_what, status, body) => {
    answers(status, body);
    await expect(carrierAt(url).find('r')).rejects.toThrow(CarrierUnreachable);
  });

  test("converts a look-up's response to the platform's own terms", async () => {
    const at = '2026-11-03T05:00:00.000Z';
    const ended = { state: 'ended', end_reason: 'callee', answered_by: 'human' };
    const call = { carrier_id: 'a', reference: 'r', x: 1, ...ended };
    const instants = { dialing_at: at, ringing_at: at, answered_at: at, ended_at: at };
    const transcript = [{ speaker: 'user', text: '', start_ms: 0, end_ms: 5, confidence: 1 }];
    answers(200, JSON.stringify({ calls: [{ ...call, ...instants, transcript }] }));
    expect((await carrierAt(url).find('r')).calls).toEqual([
      {
        carrierId: 'a',
        fromNumber: null,
        reference: 'r',
        state: 'ended',
        endReason: 'callee',
        answeredBy: 'human',
        dialingAt: at,
        ringingAt: at,
        answeredAt: at,
        endedAt: at,
        transcript: [{ speaker: 'user', text: '', startMs: 0, endMs: 5 }],
      },
    ]);
  });

  test.each(['080-4000', 12, {}])('ignores a caller ID in another format: %j', async (from) => {
    answers(200, JSON.stringify({ calls: [{ carrier_id: 'a', reference: 'r', state: 'answered', from }] }));
    expect((await carrierAt(url).find('r')).calls).toMatchObject([{ fromNumber: null }]);
  });

  test("removes text that Postgres can't store from a transcript", async () => {
    const said = { speaker: 'user', text: 'a\0b \ud83d 😀', start_ms: 1e12, end_ms: 1e12 };
    const call = { carrier_id: 'a', reference: 'r', state: 'ended', transcript: [said] };
    answers(200, JSON.stringify({ calls: [call] }));
    const latest = 2_147_483_647;
    expect((await carrierAt(url).find('r')).calls[0]?.transcript).toEqual([
      { speaker: 'user', text: 'ab  😀', startMs: latest, endMs: latest },
    ]);
  });

  test("reads the carrier's clock again when the carrier rejects the deadline of a dial", async () => {
    const [noon, carrier] = [Date.parse('2026-11-03T12:00:00.000Z'), carrierAt(url)];
    const date = (ms: number) => ({ date: new Date(ms).toUTCString() });
    answers(200, '{"calls": []}', date(noon + 1_000));
    expect(await carrier.now()).toBeGreaterThanOrEqual(noon + 1_000);
    answers(400, '{"placed": false, "faults": ["not_after"]}', date(noon));
    expect(await carrier.dial(request('00'))).toEqual({ kind: 'notPlaced', retryAfterMs: null });
    answers(200, '{"calls": []}', date(noon));
    const requestedAtMs = performance.now();
    expect(await carrier.now()).toBeLessThanOrEqual(noon + performance.now() - requestedAtMs);
  });

  test('sends the secret and the escaped reference', async () => {
    let headers: http.IncomingHttpHeaders = {};
    let path: string | undefined;
    answer = (response, received) => {
      ({ headers, url: path } = received);
      response.writeHead(200).end('{"calls": []}');
    };
    await carrierAt(url).find('a b/c?d&e');
    expect(headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(path).toBe('/calls?reference=a%20b%2Fc%3Fd%26e');
  });
});

describe('the HTTP carrier on a keep-alive connection that the carrier closes', () => {
  let server: http.Server;
  let asked: string[];
  let url: string;
  beforeEach(async () => {
    asked = [];
    const used = new WeakSet<object>();
    server = http.createServer((incoming, response) => {
      asked.push(incoming.method ?? '');
      const socket = incoming.socket;
      if (used.has(socket)) return socket.destroy();
      used.add(socket);
      incoming.resume().on('end', () => response.writeHead(200).end('{"calls":[]}'));
      return undefined;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('repeats a look-up after the carrier closed the connection', async () => {
    const carrier = carrierAt(url);
    await carrier.find('outbound-1-a');
    expect((await carrier.find('outbound-1-a')).calls).toEqual([]);
    expect(asked).toEqual(['GET', 'GET', 'GET']);
  });

  test("doesn't repeat a dial after the carrier closed the connection, because the dial may have arrived", async () => {
    const carrier = carrierAt(url);
    await carrier.find('outbound-1-a');
    expect(await carrier.dial(request('00'))).toEqual({ kind: 'unknown' });
    expect(asked).toEqual(['GET', 'POST']);
  });
});
