import { randomUUID } from 'node:crypto';
import { setQuotas } from '../../db/organizations/quotas';
import { CONTACTS, campaignForm, newAgent, newCampaign, withFile } from './support/rows';
import { MONDAY, openTestApi, type TestApi, type TestOrganization } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.temporal.unreachable = false;
  api.temporal.signals.length = 0;
});

const ASHA = { external_id: 'c-1', name: 'Asha Rao', phone_number: '09876500001' };

const append = (
  id: string,
  json: object,
  { as = api.organization, headers = {} }: { as?: TestOrganization; headers?: Record<string, string> } = {},
) => api.ask(`/api/campaigns/${id}/contacts`, { json, as, headers });

const storedIn = (id: string) =>
  api.db('contacts').where({ campaign_id: id }).orderBy('row_number') as Promise<Record<string, any>[]>;

async function newList(numbers: string[], as = api.organization): Promise<string> {
  const id = randomUUID();
  const at = { created_at: new Date(MONDAY), updated_at: new Date(MONDAY) };
  await api
    .db('contact_lists')
    .insert({ id, organization_id: as.id, name: 'Patients', contacts: numbers.length, ...at });
  for (const [index, number] of numbers.entries()) {
    await api.db('list_contacts').insert({
      ...{ list_id: id, organization_id: as.id, external_id: `l-${index}`, name: `Listed ${index}` },
      ...{ phone_number: number, zone_key: 'Asia/Kolkata', folded_name: '', ...at },
    });
  }
  return id;
}

test.each(['active', 'scheduled', 'paused', 'paused_out_of_range'])(
  'appends contacts to a campaign that is %s, keeps its status and signals its workflow',
  async (status) => {
    const id = await newCampaign(api);
    await api.db('campaigns').where({ id }).update({ status });
    const answer = await append(id, { contacts: [ASHA, { name: 'Dev', phone_number: '+919876500002' }] });
    expect([answer.status, answer.body]).toEqual([200, { added: 2, duplicates: 0, total: 4 }]);
    const detail = await api.ask(`/api/campaigns/${id}`);
    expect(detail.body).toMatchObject({ campaign_status: status, stats: { total_calls: 4, pending: 4 } });
    expect(api.temporal.signals).toEqual([{ campaignId: id, signal: 'update' }]);
    expect((await storedIn(id)).slice(2).map((each) => [each.row_number, each.phone_number])).toEqual([
      [4, '+919876500001'],
      [5, '+919876500002'],
    ]);
  },
);

test.each(['completed', 'cancelled'])('returns 409 for a campaign that is %s', async (status) => {
  const id = await newCampaign(api);
  await api.db('campaigns').where({ id }).update({ status });
  const answer = await append(id, { contacts: [ASHA] });
  expect([answer.status, answer.body.detail.code]).toEqual([409, 'CAMPAIGN_NOT_EDITABLE']);
  expect(await storedIn(id)).toHaveLength(2);
  expect(api.temporal.signals).toEqual([]);
});

test('stores every field of a contact', async () => {
  const id = await newCampaign(api);
  const fields = { timezone: 'Asia/Kolkata', language: 'en-IN', consent_at: '2026-10-01T10:00:00+05:30' };
  await append(id, { contacts: [{ ...ASHA, ...fields, metadata: { city: 'Pune', due: 12 } }] });
  expect((await storedIn(id)).at(-1)).toMatchObject({
    ...{ external_id: 'c-1', name: 'Asha Rao', timezone: 'Asia/Kolkata', language: 'en-IN' },
    ...{ consent_at: new Date('2026-10-01T04:30:00Z'), variables: { city: 'Pune', due: 12 } },
  });
});

test('rejects a request with faulty contacts as a whole, with the index of each fault', async () => {
  const id = await newCampaign(api);
  const contacts = [
    ASHA,
    { ...ASHA, phone_number: '12' },
    { ...ASHA, timezone: 'Mars/Olympus' },
    { name: ' ', phone_number: ASHA.phone_number },
    { ...ASHA, language: 'a b' },
    { ...ASHA, consent_at: 'yesterday' },
    { ...ASHA, metadata: { text: 'x'.repeat(17_000) } },
    'Asha',
  ];
  const { status, body } = await append(id, { contacts });
  expect(status).toBe(422);
  expect(body.detail.map(({ loc }: { loc: unknown[] }) => loc)).toEqual([
    ['body', 'contacts', 1, 'phone_number'],
    ['body', 'contacts', 2, 'timezone'],
    ['body', 'contacts', 3, 'name'],
    ['body', 'contacts', 4, 'language'],
    ['body', 'contacts', 5, 'consent_at'],
    ['body', 'contacts', 6, 'metadata'],
    ['body', 'contacts', 7],
  ]);
  expect(await storedIn(id)).toHaveLength(2);
});

test.each([
  ['neither contacts nor a list', {}],
  ['both contacts and a list', { contacts: [ASHA], contact_list_id: randomUUID() }],
  ['no contact', { contacts: [] }],
  ['more than 1,000 contacts', { contacts: Array.from({ length: 1_001 }, () => ASHA) }],
  ['a malformed id of a list', { contact_list_id: 'patients' }],
])('returns 422 for %s', async (_what, json) => {
  const id = await newCampaign(api);
  expect((await append(id, json)).status).toBe(422);
});

test('accepts 1,000 contacts in one request', async () => {
  const id = await newCampaign(api);
  const contacts = Array.from({ length: 1_000 }, (_none, n) => ({
    ...{ external_id: `n-${n}`, name: `Contact ${n}`, phone_number: `+9170000${String(n).padStart(5, '0')}` },
    metadata: { note: 'x'.repeat(1_500) },
  }));
  expect((await append(id, { contacts })).body).toEqual({ added: 1_000, duplicates: 0, total: 1_002 });
});

test('counts contacts that the campaign has, and numbers that it has, as duplicates', async () => {
  const id = await newCampaign(api);
  const [first] = await storedIn(id);
  const contacts = [
    ASHA,
    { ...ASHA, external_id: 'c-2' },
    { name: 'Same', phone_number: first?.phone_number },
  ];
  expect((await append(id, { contacts })).body).toEqual({ added: 1, duplicates: 2, total: 4 });
  const shown = await api.ask(`/api/campaigns/${id}/contacts`);
  expect(shown.body.data.at(-1)).toMatchObject({
    row: 5,
    state: 'duplicate',
    reason: 'same number as row 4',
  });
  expect(shown.body.pagination.total_count).toBe(4);
  expect((await append(id, { contacts })).body).toEqual({ added: 0, duplicates: 3, total: 4 });
});

test('returns the first response to a request that is repeated with its idempotency key', async () => {
  const id = await newCampaign(api);
  const headers = { 'Idempotency-Key': randomUUID() };
  const first = await append(id, { contacts: [ASHA] }, { headers });
  const again = await append(id, { contacts: [ASHA] }, { headers });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  const other = await append(await newCampaign(api), { contacts: [ASHA] }, { headers });
  expect(other.body.detail.code).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('stores the contacts while Temporal is unreachable', async () => {
  const id = await newCampaign(api);
  api.temporal.unreachable = true;
  expect((await append(id, { contacts: [ASHA] })).status).toBe(200);
  const { refill_requested_at: requestedAt } = await api.db('campaigns').where({ id }).first();
  expect(requestedAt).toEqual(new Date(api.clock.time));
});

test("returns 404 for another organization's campaign", async () => {
  const id = await newCampaign(api);
  const answer = await append(id, { contacts: [ASHA] }, { as: api.stranger });
  expect([answer.status, answer.body.detail.code]).toEqual([404, 'CAMPAIGN_NOT_FOUND']);
  expect(await storedIn(id)).toHaveLength(2);
});

test('returns 409 beyond the quota of contacts and stores nothing', async () => {
  const as = await api.newOrganization();
  const id = await newCampaign(api, { as });
  await setQuotas(api.db, as.id, { contacts: 3 });
  const contacts = [ASHA, { ...ASHA, external_id: 'c-2', phone_number: '+919876500009' }];
  const answer = await append(id, { contacts }, { as });
  expect([answer.status, answer.body.detail.code]).toEqual([409, 'QUOTA_EXCEEDED']);
  expect((await append(id, { contacts: [ASHA] }, { as })).status).toBe(200);
});

describe('a contact list', () => {
  test('is copied into a campaign', async () => {
    const id = await newCampaign(api);
    const listId = await newList(['+918000000001', '+918000000002']);
    expect((await append(id, { contact_list_id: listId })).body).toEqual({
      added: 2,
      duplicates: 0,
      total: 4,
    });
    expect((await append(id, { contact_list_id: listId })).body).toEqual({
      added: 0,
      duplicates: 2,
      total: 4,
    });
  });

  test('is unknown to another organization', async () => {
    const id = await newCampaign(api);
    const listId = await newList(['+918000000001'], api.stranger);
    const answer = await append(id, { contact_list_id: listId });
    expect([answer.status, answer.body.detail.code]).toEqual([404, 'CONTACT_LIST_NOT_FOUND']);
    const created = await createFrom(listId);
    expect([created.status, created.body.code]).toEqual([404, 'CONTACT_LIST_NOT_FOUND']);
  });

  const createFrom = async (listId: string, path = '/api/campaigns/create', file = false) => {
    const agentId = await newAgent(api);
    const form = campaignForm(agentId, { contact_list_id: listId });
    return api.ask(path, { body: file ? withFile(form, CONTACTS) : form });
  };

  test('can replace the file of a new campaign', async () => {
    const listId = await newList(['+918000000001', '+918000000002', '+918000000001']);
    const { status, body } = await createFrom(listId);
    expect([status, body.contact_source_type]).toEqual([201, 'list']);
    const detail = await api.ask(`/api/campaigns/${body.id}`);
    expect(detail.body).toMatchObject({
      ...{ contact_list_id: listId, contact_source_type: 'list' },
      stats: { total_calls: 3, pending: 2, failed: 1 },
    });
    expect(api.temporal.campaigns.at(-1)).toMatchObject({ campaignId: body.id });
    expect((await api.ask(`/api/campaigns/${body.id}/file`)).status).toBe(404);
    expect((await api.ask(`/api/campaigns/${body.id}/report`)).status).toBe(200);
  });

  test('must contain a contact', async () => {
    const { status, body } = await createFrom(await newList([]));
    expect([status, body.code]).toEqual([400, 'NO_CONTACTS']);
  });

  test("isn't accepted together with a file, or by a simulation", async () => {
    const listId = await newList(['+918000000001']);
    expect((await createFrom(listId, '/api/campaigns/create', true)).status).toBe(422);
    const simulated = await createFrom(listId, '/api/campaigns/simulate');
    expect([simulated.status, simulated.text]).toEqual([422, expect.stringContaining('contact_list_id')]);
  });
});

test('stores the zone and the language of a file, and keeps both as variables', async () => {
  const agentId = await newAgent(api);
  const csv =
    'name,phone,timezone,language\nAsha,+919876543210,Asia/Kolkata,hi\nRavi,+919876543211,Pune,"हिन्दी, मराठी"\n';
  const { body } = await api.ask('/api/campaigns/create', { body: withFile(campaignForm(agentId), csv) });
  const stored = await storedIn(body.id as string);
  expect(stored.map(({ timezone, language, variables }) => [timezone, language, variables])).toEqual([
    ['Asia/Kolkata', 'hi', { timezone: 'Asia/Kolkata', language: 'hi' }],
    [null, null, { timezone: 'Pune', language: 'हिन्दी, मराठी' }],
  ]);
});
