/** Dispatches of an organization that has reached its daily spend limit. */
import { countOf, newAgent } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi({ settings: { spendPerDay: { perCampaign: 0, perOrganization: 5 } } });
  agentId = await newAgent(api);
  const day = new Date(api.clock.time).toISOString().slice(0, 10);
  await api.db('spend').insert({ owner_id: api.organization.id, day, credits: 5 });
});
afterAll(() => api.close());
beforeEach(() =>
  api
    .db('organizations')
    .where({ id: api.organization.id })
    .update({ spend_exempt: [], spend_per_day: null }),
);

const dispatch = () =>
  api.ask('/api/trigger-call/', {
    json: { agent_id: agentId, contact_number: '+919876543210', name: 'Asha' },
  });

test('returns 402 beyond the daily spend limit and stores nothing', async () => {
  const before = await countOf(api, 'calls');
  const { status, body } = await dispatch();
  expect([status, body]).toEqual([
    402,
    {
      success: false,
      message: expect.stringContaining('reached its daily spend limit'),
      output: null,
      error: 'SPEND_LIMIT_REACHED',
      detail: { code: 'SPEND_LIMIT_REACHED', message: expect.any(String) },
    },
  ]);
  expect(await countOf(api, 'calls')).toBe(before);
});

test('accepts a dispatch if the operator exempts dispatches or sets a higher limit or none', async () => {
  for (const change of [
    { spend_exempt: ['dispatches'] },
    { spend_exempt: [], spend_per_day: 6 },
    { spend_per_day: 0 },
  ]) {
    await api.db('organizations').where({ id: api.organization.id }).update(change);
    expect((await dispatch()).status).toBe(200);
  }
});

test('accepts a dispatch from another organization', async () => {
  const theirs = await newAgent(api, { as: api.stranger });
  const json = { agent_id: theirs, contact_number: '+919876543210', name: 'Asha' };
  expect((await api.ask('/api/trigger-call/', { as: api.stranger, json })).status).toBe(200);
});
