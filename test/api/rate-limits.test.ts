/** Rate limits over HTTP, within one minute of real time. rate-limit-windows.test.ts covers the limiter alone. */
import { campaignForm, countOf, newAgent, withFile } from './support/rows';
import {
  openTestApi,
  type Answer,
  type Asked,
  type TestApi,
  type TestOrganization,
} from './support/test-api';

let api: TestApi;
let organization: TestOrganization;

beforeAll(async () => {
  api = await openTestApi({ settings: { rateLimits: { dispatchPerMinute: 2, otherPerMinute: 3 } } });
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = await api.newOrganization();
});

const ask = (path: string, asked: Asked = {}): Promise<Answer> =>
  api.ask(path, { as: organization, ...asked });
const read = (): Promise<Answer> => ask('/api/agents');
const dispatch = (json: object = {}): Promise<Answer> => ask('/api/trigger-call/', { json });

async function statuses(count: number, request: () => Promise<Answer>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await request()).status);
  return found;
}

test('returns 429 with Retry-After for the first request beyond the limit', async () => {
  expect(await statuses(3, read)).toEqual([200, 200, 200]);
  const { status, body, headers } = await read();
  expect(status).toBe(429);
  expect(body).toEqual({ detail: { code: 'RATE_LIMITED', message: expect.any(String) } });
  expect(headers.get('Retry-After')).toMatch(/^([1-9]|[1-5]\d|60)$/);
});

test('reports the remaining requests in every response', async () => {
  const { headers } = await read();
  expect(headers.get('RateLimit-Limit')).toBe('3');
  expect(headers.get('RateLimit-Remaining')).toBe('2');
  expect(headers.get('RateLimit-Reset')).toMatch(/^\d+$/);
});

test('counts dispatches separately from other requests, whatever their response', async () => {
  expect(await statuses(3, dispatch)).toEqual([422, 422, 429]);
  expect(await statuses(4, read)).toEqual([200, 200, 200, 429]);
});

test('rejects a dispatch in the error shape of dispatch, and places no call', async () => {
  const agentId = await newAgent(api, { as: organization });
  const before = await countOf(api, 'calls');
  const call = { agent_id: agentId, contact_number: '+919876543210', name: 'Asha' };
  await dispatch(call);
  await dispatch(call);
  const { status, body } = await dispatch(call);
  expect([status, body.success, body.error]).toEqual([429, false, 'RATE_LIMITED']);
  expect(await countOf(api, 'calls')).toBe(before + 2);
});

test('rejects a campaign in the error shape of create, and stores no file', async () => {
  await statuses(3, read);
  const { status, body, headers } = await ask('/api/campaigns/create', {
    body: withFile(campaignForm('nobody')),
  });
  expect([status, body.status_code, body.error, body.code]).toEqual([
    429,
    429,
    'Too Many Requests',
    'RATE_LIMITED',
  ]);
  expect(headers.get('Retry-After')).toMatch(/^\d+$/);
  expect(await api.storedFiles()).toEqual([]);
});

test("checks the limit before the body's type, size and fields", async () => {
  await statuses(2, dispatch);
  const wrongType = await ask('/api/trigger-call/', { body: 'x', headers: { 'Content-Type': 'text/plain' } });
  const tooLarge = await dispatch({ name: 'x'.repeat(20 * 1024 * 1024) });
  expect([wrongType.status, tooLarge.status]).toEqual([429, 429]);
});

test("doesn't count requests with a wrong key or to an unknown path", async () => {
  const nobody = { ...organization, key: `${organization.key}x` };
  expect(await statuses(5, () => ask('/api/agents', { as: nobody }))).toEqual([401, 401, 401, 401, 401]);
  expect(await statuses(5, () => ask('/api/nothing'))).toEqual([404, 404, 404, 404, 404]);
  expect(await statuses(4, read)).toEqual([200, 200, 200, 429]);
});

test("doesn't limit one organization when another reaches its limit", async () => {
  await statuses(4, read);
  expect((await ask('/api/agents', { as: await api.newOrganization() })).status).toBe(200);
});

test('admits exactly the limit among thirty concurrent requests', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, read));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(27);
});
