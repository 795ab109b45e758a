/** Quotas limit the data that an organization stores. */
import { randomUUID } from 'node:crypto';
import { markContactsErased } from '../../db/organizations/retention';
import { takeContactFiles } from '../../db/organizations/erasing';
import { setQuotas } from '../../db/organizations/quotas';
import type { QuotaName } from '../../domain/quotas';
import { campaignForm, newAgent, withFile, countOf } from './support/rows';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';

let api: TestApi;
let as: TestOrganization;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  as = await api.newOrganization();
  agentId = await newAgent(api, { as });
});
afterAll(() => api.close());

const used = async (name: QuotaName): Promise<number> => {
  const { body } = await api.ask('/api/limits', { as });
  return body.quotas.find((quota: { name: string }) => quota.name === name).used as number;
};

/** Sets the quota to the current usage, so that nothing more fits. */
const fill = async (name: QuotaName): Promise<void> =>
  setQuotas(api.db, as.id, { [name]: Math.max(1, await used(name)) });

const launch = (fields: Record<string, string> = {}): Promise<Answer> =>
  api.ask('/api/campaigns/create', { as, body: withFile(campaignForm(agentId, fields)) });
const listNumber = (number = '+919876543210'): Promise<Answer> =>
  api.ask('/api/do-not-disturb', { as, json: { phone_number: number } });

test.each<[QuotaName, string, () => Promise<Answer>]>([
  ['campaigns', 'a campaign', launch],
  ['contacts', 'a campaign', launch],
  ['contact_file_bytes', 'a campaign', launch],
  [
    'webhook_deliveries',
    'a campaign with webhooks',
    () => launch({ campaign_webhook_url: 'https://hooks.example.com/' }),
  ],
  [
    'agents',
    'an agent',
    () => api.ask('/api/create-agent', { as, json: { agent_display_name: 'One more' } }),
  ],
  [
    'agent_bytes',
    'a change of an agent',
    () =>
      api.ask(`/api/agent/${agentId}/persona`, {
        ...{ as, method: 'PATCH' },
        json: { identity: { system_prompt: 'You speak for the clinic.' } },
      }),
  ],
  [
    'agent_bytes',
    'kept conversations',
    () =>
      api.ask(`/api/agent/${agentId}/conversations`, {
        ...{ as, method: 'PUT' },
        json: {
          conversations: [{ title: 'A talk', turns: [{ user: 'Hello', expect: { contains: ['x'] } }] }],
        },
      }),
  ],
  ['dnd_numbers', 'a do-not-disturb number', () => listNumber('+919812345678')],
])('returns 409 and changes nothing beyond the quota %s: %s', async (name, _what, ask) => {
  expect((await launch()).status).toBe(201);
  await listNumber();
  await api.db('webhook_deliveries').insert({
    ...{ id: randomUUID(), event_id: randomUUID(), organization_id: as.id, event: 'call.completed' },
    ...{ url: 'https://hooks.example.com/', body: '{}', created_at: new Date(api.clock.time) },
  });
  await fill(name);
  const before = await tableHashes(api.db);
  const files = await api.storedFiles();
  const { status, body } = await ask();
  expect([status, body.code ?? body.detail.code]).toEqual([409, 'QUOTA_EXCEEDED']);
  expect(body.message ?? body.detail.message).toContain(`\`${name}\` quota of`);
  expect(await tableHashes(api.db)).toEqual(before);
  expect(await api.storedFiles()).toEqual(files);
  await setQuotas(api.db, as.id, { [name]: 0 });
  expect((await ask()).status).toBeLessThan(300);
});

test('frees the quota of data that is erased, archived or removed', async () => {
  const { body } = await launch();
  await listNumber();
  for (const name of ['contacts', 'contact_file_bytes', 'agents', 'dnd_numbers'] as const) await fill(name);
  expect((await launch()).status).toBe(409);
  await api
    .db('campaigns')
    .where({ id: body.id })
    .update({ completed_contacts: api.db.ref('total_contacts') });
  await markContactsErased(api.db, body.id, api.clock.time);
  await takeContactFiles(api.db, [body.id]);
  expect((await launch()).status).toBe(201);
  await api.ask('/api/do-not-disturb/remove', { as, json: { phone_number: '+919876543210' } });
  expect((await listNumber('+919812345678')).status).toBe(200);
  const create = () => api.ask('/api/create-agent', { as, json: { agent_display_name: 'Next' } });
  expect((await create()).status).toBe(409);
  await api.ask(`/api/agent/${agentId}`, { as, method: 'DELETE' });
  expect((await create()).status).toBe(200);
});

test('rejects a dry run of a campaign that would exceed a quota', async () => {
  await launch();
  await fill('contacts');
  const { status, body } = await api.ask('/api/campaigns/simulate', {
    as,
    body: withFile(campaignForm(agentId)),
  });
  expect([status, body.code]).toEqual([409, 'QUOTA_EXCEEDED']);
});

test('accepts a number that is already on the do-not-disturb list even if the quota is used up', async () => {
  await listNumber();
  await fill('dnd_numbers');
  expect((await listNumber()).status).toBe(200);
});

test('shows usage, with the configured quotas for an organization without its own', async () => {
  await setQuotas(api.db, as.id, { agents: 7, contacts: 0 });
  const { body } = await api.ask('/api/limits', { as });
  expect(body.quotas).toEqual(
    expect.arrayContaining([
      { name: 'agents', used: 1, limit: 7 },
      { name: 'contacts', used: 0, limit: null },
      { name: 'campaigns', used: 0, limit: 100_000 },
    ]),
  );
  await setQuotas(api.db, as.id, { agents: null });
  expect((await api.ask('/api/limits', { as })).body.quotas).toContainEqual({
    name: 'agents',
    used: 1,
    limit: 5_000,
  });
});

/** Dispatches of an organization that has reached its daily spend limit. */
describe('the daily spend limit', () => {
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
});
