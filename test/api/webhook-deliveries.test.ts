import { randomUUID } from 'node:crypto';
import { newCampaign } from './support/rows';
import { MONDAY, openTestApi, type TestApi } from './support/test-api';

let api: TestApi;
let campaignId: string;
const older = randomUUID();
const newer = randomUUID();

beforeAll(async () => {
  api = await openTestApi();
  campaignId = await newCampaign(api);
  const row = { client_id: api.client.id, url: 'https://example.com/hook', body: '{}' };
  await api.db('webhook_deliveries').insert([
    {
      ...row,
      id: older,
      event_id: randomUUID(),
      campaign_id: campaignId,
      event: 'campaign.status_changed',
      status: 'delivered',
      created_at: new Date(MONDAY),
    },
    {
      ...row,
      id: newer,
      event_id: randomUUID(),
      event: 'call.completed',
      created_at: new Date(MONDAY + 1),
      next_attempt_at: new Date(MONDAY + 5000),
    },
  ]);
  await api.db('webhook_attempts').insert([
    { delivery_id: older, attempt: 2, at: new Date(MONDAY + 5000), status_code: 200, duration_ms: 12 },
    { delivery_id: older, attempt: 1, at: new Date(MONDAY), duration_ms: 5000, error: 'timed out' },
  ]);
});
afterAll(() => api.close());

const list = (query = '', as = api.client) => api.ask(`/api/webhook-deliveries${query}`, { as });

test('shows the newest first, each with every attempt in order', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body.data.map((delivery: any) => delivery.id)).toEqual([newer, older]);
  expect(body.data[1]).toEqual({
    id: older,
    event_id: expect.any(String),
    event: 'campaign.status_changed',
    url: 'https://example.com/hook',
    campaign_id: campaignId,
    call_id: null,
    status: 'delivered',
    attempts: [
      {
        attempt: 1,
        at: '2026-11-02T05:00:00.000Z',
        status_code: null,
        duration_ms: 5000,
        error: 'timed out',
      },
      { attempt: 2, at: '2026-11-02T05:00:05.000Z', status_code: 200, duration_ms: 12, error: null },
    ],
    next_attempt_at: null,
  });
  expect(body.pagination).toMatchObject({ total_count: 2, page_size: 50 });
});

test.each([
  ['?status=pending', [newer]],
  ['?status=failed', []],
  ['?call_id=outbound-1', []],
  ['?page_size=1&page=2', [older]],
])('%s', async (query, ids) => {
  expect((await list(query)).body.data.map((delivery: any) => delivery.id)).toEqual(ids);
});

test('are filtered by campaign', async () => {
  const { body } = await list(`?campaign_id=${campaignId}`);
  expect(body.data.map((delivery: any) => delivery.id)).toEqual([older]);
});

test.each(['status=lost', 'campaign_id=1', 'page_size=201'])('?%s is a 422', async (query) => {
  expect((await list(`?${query}`)).status).toBe(422);
});

test("holds nothing of another client's", async () => {
  expect((await list('', api.stranger)).body.data).toEqual([]);
});
