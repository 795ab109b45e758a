import { connect } from 'node:net';
import { newAgent } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const raw = (body: string, contentType = 'application/json') =>
  api.ask('/api/create-agent', { body, headers: { 'Content-Type': contentType } });
const NAMED = '"agent_display_name":"A"';
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a JSON body', () => {
  test.each([
    ['that is malformed', '{"agent_display_name":', 422, 'json.invalid'],
    ['that is not an object', '[1]', 422, 'object.base'],
    ['that is null', 'null', 422, 'object.base'],
    ['that is empty', '', 422, 'object.base'],
    ['with __proto__', `{${NAMED},"__proto__":{"x":1}}`, 422, 'forbidden_key'],
    ['with __proto__ deep down', `{${NAMED},"other":[{"__proto__":1}]}`, 422, 'forbidden_key'],
    [
      'with constructor in the configuration',
      `{${NAMED},"config":{"persona":{"constructor":1}}}`,
      422,
      'forbidden_key',
    ],
    ['nested without end', `{${NAMED},"config":{"persona":${nested(10_000)}}}`, 422, 'too_deep'],
    ['with a NUL', `{"agent_display_name":"A\\u0000"}`, 422, 'unstorable_text'],
    ['with half a surrogate pair', `{"agent_display_name":"A\\ud800"}`, 422, 'unstorable_text'],
  ])('rejects a JSON body %s', async (_title, body, status, type) => {
    const answer = await raw(body);
    expect(answer.status).toBe(status);
    expect(answer.body.detail[0]).toMatchObject({ type });
    expect(answer.body.detail[0].loc[0]).toBe('body');
  });

  test('returns 415 for another content type', async () => {
    const { status, body } = await raw('agent_display_name=A', 'application/x-www-form-urlencoded');
    expect([status, body.detail.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('returns 413 for a body larger than 1 MiB', async () => {
    const { status, body } = await raw(`{"agent_display_name":"${'x'.repeat(1024 * 1024)}"}`);
    expect([status, body.detail.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('serves other requests when a body is interrupted', async () => {
    const { port, hostname } = new URL(api.url);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/create-agent HTTP/1.1\r\nHost: x\r\nX-API-Key: ${api.organization.key}\r\n` +
            'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a',
          () => socket.destroy(),
        );
      });
      socket.on('close', () => resolve()).on('error', reject);
    });
    expect((await api.ask('/healthz')).status).toBe(200);
  });
});

describe('an unknown path', () => {
  test.each(['/', '/api', '/api/nothing', '/api/campaigns/a/b/c', '/api/agents/x'])(
    'returns 404 for an unknown path: %s',
    async (path) => {
      const { status, body } = await api.ask(path);
      expect(status).toBe(404);
      expect(body).toEqual({ detail: { code: 'NOT_FOUND', message: expect.any(String) } });
    },
  );

  test('returns 405 for a wrong method', async () => {
    const { status, body } = await api.ask('/api/call-history', { method: 'DELETE' });
    expect([status, body.detail.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });
});

describe('a request id', () => {
  test.each([
    ['kept-as_it-1s', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['a b', false],
  ])('keeps a request id only if it is short and safe: %j, %s', async (given, kept) => {
    const { headers } = await api.ask('/api/agents', { headers: { 'X-Request-Id': given } });
    expect(headers.get('x-request-id') === given).toBe(kept);
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{1,64}$/);
  });

  test('returns the request id in error responses too, and in the error body of create', async () => {
    const { headers, body } = await api.ask('/api/campaigns/create', { method: 'POST' });
    expect(body.request_id).toBe(headers.get('x-request-id'));
  });
});

test('sends the security headers with every response', async () => {
  const { headers } = await api.ask('/api/nothing');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
  expect(headers.get('x-powered-by')).toBeNull();
});

test('returns 500 without internal details for an unexpected error', async () => {
  await api.db.schema.renameTable('agent_versions', 'hidden');
  const { status, text, body } = await api.ask('/api/create-agent', {
    json: { agent_display_name: 'Secret Name' },
  });
  await api.db.schema.renameTable('hidden', 'agent_versions');
  expect(status).toBe(500);
  expect(body).toEqual({
    detail: {
      code: 'INTERNAL_ERROR',
      message: "An unexpected error occurred. Send the response's `X-Request-Id` to the operator",
    },
  });
  expect(text).not.toContain('agent_versions');
  expect(api.logLines().join('')).not.toContain('Secret Name');
});

describe('the log', () => {
  test('writes one line per request, without personal data or keys', async () => {
    const agent_id = await newAgent(api, { name: 'Logged' });
    const from = api.logLines().length;
    await api.ask('/api/agents?search=Priyanka');
    await api.ask('/api/trigger-call/', {
      json: { agent_id, contact_number: '+919812345678', name: 'Priyanka' },
    });
    await api.ask('/api/call_details/outbound-Priyanka');
    const lines = api.logLines().slice(from);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        msg: 'request answered',
        method: 'GET',
        route: '/api/agents',
        status: 200,
        ms: expect.any(Number),
        request_id: expect.any(String),
        organization_id: api.organization.id,
      }),
      expect.objectContaining({ route: '/api/trigger-call', status: 200 }),
      expect.objectContaining({ route: '/api/call_details/:call_id', status: 404 }),
    ]);
    const text = lines.join('');
    for (const secret of ['Priyanka', '9812345678', api.organization.key]) expect(text).not.toContain(secret);
  });
});

describe('/healthz and /readyz', () => {
  test('requires no key', async () => {
    expect((await api.ask('/healthz', { as: null })).body).toEqual({ status: 'ok' });
    const { status, body } = await api.ask('/readyz', { as: null });
    expect([status, body]).toEqual([200, { status: 'ready', carrier_events: 'ok', temporal: 'ok' }]);
  });

  test('reports ready without Temporal, because carrier events are still recorded', async () => {
    api.temporal.unreachable = true;
    const { status, body } = await api.ask('/readyz');
    api.temporal.unreachable = false;
    expect([status, body]).toEqual([200, { status: 'ready', carrier_events: 'ok', temporal: 'unreachable' }]);
  });

  test("responds to /readyz even if Temporal doesn't respond", async () => {
    let answer = (): void => undefined;
    const silent = jest
      .spyOn(api.temporal, 'check')
      .mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    // The response arrives although Temporal hasn't responded.
    const { status, body } = await api.ask('/readyz');
    silent.mockRestore();
    answer();
    expect([status, body.temporal]).toEqual([200, 'unreachable']);
  });

  test('reports not ready when the database is read-only', async () => {
    const standby = await openTestApi({
      databaseUrl: (real) => `${real}?options=-c%20default_transaction_read_only%3Don`,
    });
    const { status, body } = await standby.ask('/readyz');
    await standby.close();
    expect([status, body]).toEqual([
      503,
      {
        status: 'not ready',
        carrier_events: 'unreachable',
        temporal: 'ok',
        detail: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('Carrier events') },
      },
    ]);
  });
});

test('closes the connection after a response while the process drains', async () => {
  let draining = false;
  const other = await openTestApi({ isDraining: () => draining });
  const before = await other.ask('/healthz');
  draining = true;
  const after = await other.ask('/healthz');
  await other.close();
  expect(before.headers.get('connection')).toBe('keep-alive');
  expect(after.headers.get('connection')).toBe('close');
});
