/** Tests the TypeScript client with responses that the real API rarely gives. */
import { ApiError, ConnectionError, VoiceAgentClient, type ClientOptions } from '../../sdk/typescript';
import { REQUESTS } from '../../sdk/typescript/generated';

interface Asked {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

const DETAIL = { 'Content-Type': 'application/json', 'X-Request-Id': 'r-1' };
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ detail: { code, message: 'No' } }), {
    status,
    headers: { ...DETAIL, ...headers },
  });
const json = (value: unknown) => new Response(JSON.stringify(value), { headers: DETAIL });
const lost = new TypeError('fetch failed');

/** Returns a client whose server gives the listed responses in order. */
function organizationOf(answers: (Response | Error)[], options: Partial<ClientOptions> = {}) {
  const asked: Asked[] = [];
  const client = new VoiceAgentClient({
    baseUrl: 'https://calls.example.test/',
    apiKey: 'vap_key',
    fetch: (url, { method = '', headers = {}, body }) => {
      asked.push({ url, method, headers: headers as Record<string, string>, body });
      const answer = answers.shift();
      if (answer === undefined) throw new Error('nobody expected another request');
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    ...options,
  });
  return { client, asked };
}

const DISPATCH = { body: { agent_id: 'a', contact_number: '+919876543210', name: 'Asha' } };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('sends the filled-in path, the query, the API key and a JSON body', async () => {
  const { client, asked } = organizationOf([json({}), json({})]);
  await client.get('/api/campaigns/{campaign_id}/contacts', {
    path: { campaign_id: 'a/b' },
    query: { page: 2, state: 'pending' },
  });
  await client.post('/api/create-agent', { body: { agent_display_name: 'Reminder' } });
  expect(asked).toMatchObject([
    {
      method: 'GET',
      url: 'https://calls.example.test/api/campaigns/a%2Fb/contacts?page=2&state=pending',
      headers: { 'X-API-Key': 'vap_key' },
    },
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"agent_display_name":"Reminder"}',
    },
  ]);
  expect(asked[1]?.headers).not.toHaveProperty('Idempotency-Key');
});

test('sends the CSRF token of a console session instead of an API key, but not with read requests', async () => {
  const asked: unknown[] = [];
  const client = new VoiceAgentClient({
    baseUrl: 'https://calls.example.test',
    csrfToken: () => 'csrf',
    fetch: (_url, { method, headers, keepalive = false }) => {
      asked.push([method, headers, keepalive]);
      return Promise.resolve(method === 'GET' ? json({}) : new Response(null, { status: 204 }));
    },
  });
  await client.get('/api/console/session');
  expect(await client.delete('/api/console/session', { keepalive: true })).toBeUndefined();
  expect(asked).toEqual([
    ['GET', {}, false],
    ['DELETE', { 'X-CSRF-Token': 'csrf' }, true],
  ]);
});

test('does not send a request without the values that its path needs', async () => {
  const { client, asked } = organizationOf([]);
  const wrong = { path: { agent_id: '' } };
  await expect(client.get('/api/agent/{agent_id}', wrong)).rejects.toThrow('needs agent_id');
  expect(asked).toEqual([]);
});

test('generates one idempotency key per call of the documented operations, and reuses it for retries', async () => {
  const keyed = Object.entries(REQUESTS).filter(([, traits]) => 'idempotencyKey' in traits);
  expect(keyed.map(([name]) => name)).toEqual([
    'post /api/trigger-call/',
    'post /api/campaigns/create',
    'post /api/campaigns/{campaign_id}/contacts',
    'post /api/contact-lists/{list_id}/contacts',
  ]);
  const { client, asked } = organizationOf([lost, json({}), json({}), json({})]);
  const first = client.post('/api/trigger-call/', DISPATCH);
  await jest.advanceTimersByTimeAsync(500);
  await first;
  await client.post('/api/trigger-call/', DISPATCH);
  await client.post('/api/trigger-call/', { ...DISPATCH, idempotencyKey: 'mine' });
  const keys = asked.map(({ headers }) => headers['Idempotency-Key']);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys).toEqual([keys[0], keys[0], expect.not.stringMatching(keys[0] ?? ''), 'mine']);
});

describe('a request that is retried', () => {
  test.each([
    ['429 RATE_LIMITED', () => refusal(429, 'RATE_LIMITED', { 'Retry-After': '7' })],
    ['503 SERVICE_UNAVAILABLE', () => refusal(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '7' })],
    [
      '429 with a date',
      () => refusal(429, 'X', { 'Retry-After': new Date(Date.now() + 7_000).toUTCString() }),
    ],
  ])('waits as long as Retry-After says for every method: %s', async (_name, answer) => {
    jest.setSystemTime(Date.parse('2026-11-02T05:00:00Z'));
    const { client, asked } = organizationOf([answer(), json({ success: true })]);
    const asking = client.post('/api/calls/{call_id}/hangup', { path: { call_id: 'c' } });
    await jest.advanceTimersByTimeAsync(6_999);
    expect(asked).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect([await asking, asked.length]).toEqual([{ success: true }, 2]);
  });

  test('retries while the first request with the same idempotency key is still running', async () => {
    const running = refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { 'Retry-After': '1' });
    const { client } = organizationOf([lost, running, json({ success: true })]);
    const asking = client.post('/api/trigger-call/', DISPATCH);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(await asking).toEqual({ success: true });
  });

  test('retries an idempotent request that got no response, or a response from a proxy', async () => {
    const { client, asked } = organizationOf([lost, new Response('Bad gateway', { status: 502 }), json({})]);
    const asking = client.delete('/api/agent/{agent_id}', { path: { agent_id: 'a' } });
    await jest.advanceTimersByTimeAsync(1_500);
    await asking;
    expect(asked.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'DELETE']);
  });

  test('makes four attempts in total and doubles the wait each time', async () => {
    const { client, asked } = organizationOf([lost, lost, lost, lost], { retries: { baseMs: 100 } });
    const asking = expect(client.get('/api/limits')).rejects.toThrow(ConnectionError);
    await jest.advanceTimersByTimeAsync(100 + 200 + 400);
    await asking;
    expect(asked).toHaveLength(4);
  });
});

describe('a request that is not retried', () => {
  test('does not retry a POST without an idempotency key that may have been carried out', async () => {
    const { client, asked } = organizationOf([lost, refusal(500, 'INTERNAL_ERROR')]);
    const create = { body: { agent_display_name: 'Reminder' } };
    await expect(client.post('/api/create-agent', create)).rejects.toMatchObject({
      name: 'ConnectionError',
      cause: lost,
    });
    await expect(client.post('/api/create-agent', create)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(asked).toHaveLength(2);
  });

  test('does not retry when Retry-After is longer than the client allows', async () => {
    const { client } = organizationOf([refusal(429, 'RATE_LIMITED', { 'Retry-After': '61' })]);
    await expect(client.get('/api/limits')).rejects.toMatchObject({ status: 429, requestId: 'r-1' });
  });

  test.each([400, 401, 403, 404, 409, 422])(
    'does not retry when the request is rejected with %d',
    async (status) => {
      const { client } = organizationOf([refusal(status, 'NO')]);
      const error = await client.get('/api/limits').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status, code: 'NO', message: 'No' });
    },
  );

  test('does not retry when a proxy rejects the request without an error code', async () => {
    const { client } = organizationOf([new Response('<html>', { status: 403 })]);
    await expect(client.get('/api/limits')).rejects.toMatchObject({ code: 'HTTP_403', body: '<html>' });
  });
});

test('aborts an attempt at its timeout, and the whole request when the calling code aborts', async () => {
  const never: ClientOptions['fetch'] = (_url, { signal }) =>
    new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  const { client } = organizationOf([], { fetch: never, timeoutMs: 2_000, retries: { attempts: 1 } });
  const asking = expect(client.get('/api/limits')).rejects.toMatchObject({
    name: 'ConnectionError',
    cause: new Error('no response within 2000 ms'),
  });
  await jest.advanceTimersByTimeAsync(2_000);
  await asking;
  const caller = new AbortController();
  const abandoned = expect(client.get('/api/limits', { signal: caller.signal })).rejects.toThrow('enough');
  caller.abort(new Error('enough'));
  await abandoned;
});
