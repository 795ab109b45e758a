import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../../dev/simulator/app';
import { readSimulatorLog } from '../../../dev/simulator/log';
import { explainStartFault } from '../../../dev/simulator/settings';
import { AGENT, callRequest, numberEnding } from './fixtures';
import { Receiver } from './receiver';

const SECRET = 'shared-secret';

let folder: string;
let logPath: string;
let simulator: Simulator;
let receiver: Receiver;
let base: string;

const start = async (differences: Partial<SimulatorOptions> = {}) => {
  simulator = createSimulator({
    secret: SECRET,
    logPath,
    ringMs: 10,
    talkMs: 20,
    ringCapMs: 20,
    shuffleMs: 20,
    lookupLagMs: 0,
    eventRetryDelaysMs: [5, 10, 20, 40],
    ...differences,
  });
  base = `http://127.0.0.1:${await simulator.listen(0)}`;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  logPath = join(folder, 'deep', 'simulator.jsonl');
  receiver = new Receiver();
  await receiver.listen();
  await start();
});

afterEach(async () => {
  await simulator.close();
  await receiver.close();
  rmSync(folder, { recursive: true });
});

const ask = async (method: string, path: string, body?: unknown, secret = SECRET) => {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
  };
};

const post = (differences: Parameters<typeof callRequest>[0] = {}) =>
  ask('POST', '/calls', callRequest({ events_url: receiver.url, ...differences }));

const ended = (events: { body: Record<string, unknown> }[]) =>
  events.some(({ body }) => body['type'] === 'ended');

test('places a call for POST /calls and sends its events, authenticated with the secret', async () => {
  const answer = await post();
  expect(answer).toEqual({
    status: 201,
    body: { carrier_id: expect.any(String) as unknown, reference: 'outbound-1', state: 'accepted' },
  });
  // Simultaneous events may arrive in any order.
  await receiver.until(() =>
    ['dialing', 'ringing', 'answered', 'ended'].every((type) => receiver.types().includes(type)),
  );
  expect(receiver.events.every(({ authorization }) => authorization === `Bearer ${SECRET}`)).toBe(true);
  const found = await ask('GET', '/calls?reference=outbound-1');
  expect(found).toMatchObject({
    status: 200,
    body: { calls: [{ ...answer.body, state: 'ended', end_reason: 'agent', sip_status: 200, from: null }] },
  });
});

test('places a second call under the same reference', async () => {
  await post();
  await post();
  expect((await ask('GET', '/calls?reference=outbound-1')).body).toMatchObject({ calls: [{}, {}] });
  expect((await ask('GET', '/stats')).body).toMatchObject({
    placed: 2,
    distinct_references: 1,
    duplicate_references: 1,
  });
});

test('finds no calls for an unknown reference, and rejects a query without one', async () => {
  expect(await ask('GET', '/calls?reference=unknown')).toEqual({ status: 200, body: { calls: [] } });
  expect((await ask('GET', '/calls')).status).toBe(400);
});

test('requires the secret for all requests except statistics', async () => {
  for (const [method, path] of [
    ['POST', '/calls'],
    ['GET', '/calls?reference=x'],
    ['DELETE', '/calls/x'],
    ['PUT', '/inbound/+911234567890'],
    ['DELETE', '/inbound/+911234567890'],
    ['POST', '/inbound-calls'],
  ] as const) {
    expect((await ask(method, path, method === 'GET' ? undefined : {}, 'wrong')).status).toBe(401);
  }
  expect(await (await fetch(`${base}/stats`)).json()).toEqual({
    placed: 0,
    distinct_references: 0,
    duplicate_references: 0,
    live: 0,
    peak_live: 0,
  });
});

test('states that no call was placed when it rejects a dial without the secret or with a large body', async () => {
  expect((await ask('POST', '/calls', {}, 'wrong')).body).toEqual({ placed: false, code: 'UNAUTHORIZED' });
  const answer = await ask('POST', '/calls', { variables: { note: 'x'.repeat(1024 * 1024) } });
  expect(answer).toEqual({ status: 413, body: { placed: false, code: 'TOO_LARGE' } });
  expect(simulator.stats().placed).toBe(0);
});

test('lists every invalid field of a call request', async () => {
  const answer = await ask('POST', '/calls', {
    reference: '',
    to: '12',
    from: 'me',
    not_after: 'soon',
    ring_timeout_s: 0,
    max_talk_s: '60',
    amd: 'yes',
    events_url: 'ftp://x',
    agent: { name: 'A', greeting: 7 },
    variables: [],
  });
  expect(answer.status).toBe(400);
  const faults = answer.body?.['faults'] as { field: string }[];
  expect(faults.map(({ field }) => field).sort()).toEqual(
    [
      'agent.greeting',
      'agent.prompt',
      'amd',
      'events_url',
      'from',
      'max_talk_s',
      'not_after',
      'reference',
      'ring_timeout_s',
      'to',
      'variables',
    ].sort(),
  );
});

test("rejects a body that isn't a JSON object and places no call", async () => {
  for (const body of ['{', '[]', '"x"', 'null']) {
    expect(await ask('POST', '/calls', body)).toMatchObject({
      status: 400,
      body: { placed: false, code: 'BAD_REQUEST' },
    });
  }
  expect(simulator.stats().placed).toBe(0);
});

test('rejects a call whose not_after has passed', async () => {
  const answer = await post({ not_after: new Date(Date.now() - 1).toISOString() });
  expect(answer).toEqual({ status: 410, body: { placed: false, code: 'TOO_LATE' } });
  expect(simulator.stats().placed).toBe(0);
});

test('rejects a call to 89, an invalid number', async () => {
  const answer = await post({ to: numberEnding('89') });
  expect(answer).toEqual({ status: 422, body: { placed: false, code: 'INVALID_NUMBER' } });
  expect(simulator.stats().placed).toBe(0);
});

test('places a call to 93 and then cuts the connection', async () => {
  await expect(post({ to: numberEnding('93') })).rejects.toThrow();
  expect(simulator.stats().placed).toBe(1);
  expect((await ask('GET', '/calls?reference=outbound-1')).body).toMatchObject({ calls: [{}] });
  expect(readSimulatorLog(logPath)).toContainEqual(
    expect.objectContaining({ kind: 'request', method: 'POST', status: null, to: numberEnding('93') }),
  );
});

test('rejects only the first POST for a number with 95 or 96, counted across restarts', async () => {
  expect(await post({ to: numberEnding('95') })).toEqual({
    status: 503,
    body: { placed: false, code: 'UNAVAILABLE' },
  });
  expect(await post({ to: numberEnding('96') })).toEqual({
    status: 429,
    body: { placed: false, code: 'TOO_MANY_CALLS', retry_after_s: 1 },
  });
  expect(simulator.stats().placed).toBe(0);
  await simulator.close();
  await start();
  expect((await post({ to: numberEnding('95') })).status).toBe(201);
  expect((await post({ to: numberEnding('96') })).status).toBe(201);
  expect((await post({ to: '+911111111195' })).status).toBe(503);
});

test('sends every event of a call to 94 twice under one id', async () => {
  await post({ to: numberEnding('94') });
  const count = (events: { body: Record<string, unknown> }[], type: string) =>
    events.filter(({ body }) => body['type'] === type).length;
  await receiver.until((events) =>
    ['dialing', 'ringing', 'answered', 'ended'].every((type) => count(events, type) === 2),
  );
  const ids = receiver.events
    .filter(({ body }) => body['type'] === 'ended')
    .map(({ body }) => body['event_id']);
  expect(ids[0]).toBe(ids[1]);
});

test('retries a rejected event under the same id', async () => {
  receiver.answer = { status: 500 };
  await post({ to: numberEnding('85') });
  await receiver.until((events) => events.length >= 3);
  receiver.answer = { status: 204 };
  const ofDialing = (events: typeof receiver.events) =>
    events.filter(({ body }) => body['type'] === 'dialing');
  await receiver.until((events) => ofDialing(events).length > 1);
  const dialing = ofDialing(receiver.events);
  expect(new Set(dialing.map(({ body }) => body['event_id'])).size).toBe(1);
});

test('hangs up a call once', async () => {
  const placed = await post({ to: numberEnding('73') });
  const path = `/calls/${String(placed.body?.['carrier_id'])}`;
  expect((await ask('DELETE', '/calls/unknown')).status).toBe(404);
  expect((await ask('DELETE', path)).status).toBe(202);
  expect((await ask('DELETE', path)).status).toBe(409);
  await receiver.until(ended);
  expect(receiver.events.find(({ body }) => body['type'] === 'ended')?.body).toMatchObject({
    end_reason: 'platform',
  });
});

test('returns 404 for an unknown path', async () => {
  expect((await ask('GET', '/')).status).toBe(404);
  expect((await ask('PATCH', '/calls')).status).toBe(404);
  expect((await ask('DELETE', '/calls/%E0%A4%A')).status).toBe(404);
});

describe('inbound calls', () => {
  const ours = '+918000000001';
  const ring = () => ask('POST', '/inbound-calls', { to: ours, from: numberEnding('01') });
  const route = () => ask('PUT', `/inbound/${ours}`, { events_url: receiver.url, agent: AGENT });

  test("connects an accepted caller under the platform's reference", async () => {
    expect(await route()).toEqual({ status: 204, body: null });
    receiver.answer = { status: 200, body: { accept: true, reference: 'inbound-1' } };
    const rung = await ring();
    expect(rung).toMatchObject({ status: 201, body: { state: 'accepted' } });
    await receiver.until(ended);
    const [first, ...later] = receiver.events.map(({ body }) => body);
    expect(first).toMatchObject({ type: 'inbound', to: ours, from: numberEnding('01') });
    expect(first).not.toHaveProperty('reference');
    expect(later.every((body) => body['reference'] === 'inbound-1')).toBe(true);
    expect((await ask('GET', '/calls?reference=inbound-1')).body).toMatchObject({
      calls: [{ state: 'ended', end_reason: 'agent', to: ours }],
    });
    expect(simulator.stats().placed).toBe(0);
  });

  test('returns 404 for a call to a number without a route or with a removed route', async () => {
    expect((await ring()).status).toBe(404);
    await route();
    await simulator.close();
    await start();
    expect((await ring()).status).toBe(201);
    expect((await ask('DELETE', `/inbound/${ours}`)).status).toBe(204);
    expect((await ask('DELETE', `/inbound/${ours}`)).status).toBe(204);
    expect((await ring()).status).toBe(404);
  });

  test('rejects an invalid route', async () => {
    const answer = await ask('PUT', '/inbound/12', { events_url: 'x', agent: AGENT });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toMatch(/events_url.*number/);
  });
});

test('continues a call after a restart and reports its end', async () => {
  await simulator.close();
  // Longer than a stall of the machine between the answer and the simulator's shutdown.
  await start({ talkMs: 4_000 });
  const placed = await post();
  await receiver.until((events) => events.some(({ body }) => body['type'] === 'answered'));
  await simulator.close();
  expect(ended(receiver.events)).toBe(false);
  await start();
  await receiver.until(ended);
  expect((await ask('GET', '/calls?reference=outbound-1')).body).toMatchObject({
    calls: [{ carrier_id: placed.body?.['carrier_id'], state: 'ended', end_reason: 'agent' }],
  });
  expect((await ask('GET', '/stats')).body).toMatchObject({ placed: 1, live: 0, peak_live: 1 });
});

test('logs every request, call, state and event', async () => {
  const request = callRequest({ events_url: receiver.url });
  const placed = await ask('POST', '/calls', request);
  await receiver.until(ended);
  await ask('GET', '/calls?reference=outbound-1');
  await simulator.close();
  const entries = readSimulatorLog(logPath);
  const call = { carrier_id: placed.body?.['carrier_id'], reference: 'outbound-1', to: request.to };
  expect(entries.slice(0, 2)).toEqual([
    expect.objectContaining({ kind: 'placed', direction: 'outbound', ...call }),
    expect.objectContaining({
      kind: 'request',
      method: 'POST',
      path: '/calls',
      status: 201,
      not_after: request.not_after,
      ...call,
    }),
  ]);
  const states = entries.filter((entry) => entry.kind === 'state');
  expect(states.map(({ state, end_reason }) => [state, end_reason])).toEqual([
    ['dialing', null],
    ['ringing', null],
    ['answered', null],
    ['ended', 'agent'],
  ]);
  expect(entries.filter((entry) => entry.kind === 'event').map(({ status }) => status)).toContain(200);
  expect(entries.findLast(({ kind }) => kind === 'request')).toMatchObject({ method: 'GET', status: 200 });
  expect(entries.every(({ at }) => new Date(at).toISOString() === at)).toBe(true);
  await start();
});

test('explains in one line that the port is in use', async () => {
  const port = Number(new URL(base).port);
  const second = createSimulator({ secret: SECRET, logPath });
  const error: unknown = await second.listen(port).catch((reason: unknown) => reason);
  await second.close();
  const line = explainStartFault(error, { host: '127.0.0.1', port, logPath });
  expect(line).toBe(
    `simulator: port ${port} on 127.0.0.1 is in use; set SIMULATOR_PORT to a free port, or to 0 for any`,
  );
});
