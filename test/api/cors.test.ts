/** Requests from pages of other origins. */
import { newAgent, newCall } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const LISTED = 'https://crm.example.com';
const OTHERS = [
  'https://evil.example.com',
  'http://crm.example.com',
  `${LISTED}:8443`,
  `${LISTED}.evil`,
  'null',
  '*',
];

const corsOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

describe('an API with listed origins', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openTestApi({ settings: { corsOrigins: [LISTED] } });
  });
  afterAll(() => api.close());

  const preflight = (path: string, origin: string) =>
    api.ask(path, {
      method: 'OPTIONS',
      as: null,
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-api-key',
      },
    });

  test('responds to the preflight of a listed origin without a key', async () => {
    const { status, headers } = await preflight('/api/trigger-call/', LISTED);
    expect([status, corsOf(headers)]).toEqual([
      204,
      {
        'access-control-allow-origin': LISTED,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': '*',
        'access-control-expose-headers': '*',
        'access-control-max-age': '600',
      },
    ]);
  });

  test('allows a listed origin to read a response, an error and a recording', async () => {
    const callId = await newCall(api, { agent_id: await newAgent(api) });
    for (const path of ['/api/agents', '/api/call_details/unknown', `/api/stream/${callId}`]) {
      const { headers } = await api.ask(path, { headers: { Origin: LISTED } });
      expect(headers.get('access-control-allow-origin')).toBe(LISTED);
      expect(headers.get('vary')).toContain('Origin');
    }
    const { status, headers } = await api.ask('/api/agents', { as: null, headers: { Origin: LISTED } });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, LISTED]);
  });

  test('never allows credentials', async () => {
    for (const { headers } of [
      await preflight('/api/agents', LISTED),
      await api.ask('/api/agents', { headers: { Origin: LISTED, Cookie: 'session=x' } }),
    ]) {
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test.each(OTHERS)('sends %s no CORS headers except Vary: Origin for caches', async (origin) => {
    for (const { headers } of [
      await preflight('/api/trigger-call/', origin),
      await api.ask('/api/agents', { headers: { Origin: origin } }),
    ]) {
      expect(corsOf(headers)).toEqual({});
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  test.each(['/api/console/session', '/api/carrier/events', '/api/livekit/webhook', '/console', '/readyz'])(
    "doesn't allow other origins at %s",
    async (path) => {
      expect(corsOf((await preflight(path, LISTED)).headers)).toEqual({});
    },
  );
});

test('sends no CORS headers when no origin is listed', async () => {
  const api = await openTestApi();
  const { headers } = await api.ask('/api/agents', { headers: { Origin: LISTED } });
  await api.close();
  expect(corsOf(headers)).toEqual({});
});
