import { randomUUID } from 'node:crypto';
import { issueApiKey } from '../../db/organizations/api-keys';
import { openTestApi, type TestApi } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const ID = randomUUID();
const DETAIL: [method: string, path: string][] = [
  ['POST', '/api/create-agent'],
  ['GET', '/api/agents'],
  ['GET', `/api/agent/${ID}`],
  ['GET', '/api/campaigns/'],
  ['GET', `/api/campaigns/${ID}`],
  ['GET', `/api/campaigns/${ID}/contacts`],
  ['GET', `/api/campaigns/${ID}/file`],
  ['POST', `/api/campaigns/${ID}/pause`],
  ['POST', `/api/campaigns/${ID}/resume`],
  ['POST', `/api/campaigns/${ID}/cancel`],
  ['GET', '/api/call-history'],
  ['GET', '/api/call_details/outbound-1'],
  ['GET', '/api/call_details/'],
  ['GET', '/api/transcript/outbound-1'],
  ['GET', '/api/webhook-deliveries'],
];

describe.each(DETAIL)('%s %s', (method, path) => {
  test.each([
    ['without a key', {}, 'MISSING_API_KEY'],
    ['with a blank key', { 'X-API-Key': '  ' }, 'MISSING_API_KEY'],
    ['with a wrong key', { 'X-API-Key': 'vap_wrong' }, 'INVALID_API_KEY'],
  ])('returns 401 %s before any other check', async (_title, headers, code) => {
    const { status, body } = await api.ask(path, {
      method,
      as: null,
      headers: headers,
    });
    expect(status).toBe(401);
    expect(body).toEqual({ detail: { code, message: expect.any(String) } });
  });
});

test('reports a missing key in the error shape of dispatch', async () => {
  const { status, body } = await api.ask('/api/trigger-call/', { method: 'POST', as: null });
  expect(status).toBe(401);
  expect(body).toEqual({
    success: false,
    message: expect.any(String),
    output: null,
    error: 'MISSING_API_KEY',
    detail: { code: 'MISSING_API_KEY', message: expect.any(String) },
  });
});

test('reports a missing key in the error shape of campaign create', async () => {
  const { status, body } = await api.ask('/api/campaigns/create', { method: 'POST', as: null });
  expect(status).toBe(401);
  expect(body).toMatchObject({ status_code: 401, error: 'Unauthorized', code: 'MISSING_API_KEY' });
});

test('returns identical responses for a revoked, an expired and a wrong key', async () => {
  const wrong = await api.ask('/api/agents', { as: { ...api.organization, key: 'vap_wrong' } });
  for (const change of [{ revoked_at: new Date() }, { expires_at: new Date(api.clock.time) }]) {
    const { id, key } = await issueApiKey(api.db, api.organization.id);
    await api.db('api_keys').where({ id }).update(change);
    const answer = await api.ask('/api/agents', { as: { ...api.organization, key } });
    expect([answer.status, answer.text]).toEqual([401, wrong.text]);
  }
});

test('accepts a key until it expires', async () => {
  const { id, key } = await issueApiKey(api.db, api.organization.id);
  await api
    .db('api_keys')
    .where({ id })
    .update({ expires_at: new Date(api.clock.time + 1) });
  expect((await api.ask('/api/agents', { as: { ...api.organization, key } })).status).toBe(200);
});

test('stores only the hash and the prefix of a key', async () => {
  const { id, key, prefix } = await issueApiKey(api.db, api.organization.id);
  const row = await api.db('api_keys').where({ id }).first();
  expect(key).toMatch(/^vap_[\w-]{32}$/);
  expect(row.prefix).toBe(prefix);
  expect(JSON.stringify(row)).not.toContain(key);
});

test('checks the key before it reads the body', async () => {
  const { status } = await api.ask('/api/create-agent', {
    as: null,
    body: 'x'.repeat(2 * 1024 * 1024),
    headers: { 'Content-Type': 'application/json' },
  });
  expect(status).toBe(401);
});
