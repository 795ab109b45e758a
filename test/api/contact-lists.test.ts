/** Contact lists: create, fill with JSON, read, search, change and delete. */
import { randomUUID } from 'node:crypto';
import { removeListContacts } from '../../db/contact-lists/lists';
import { canonicalZone } from '../../domain/local-time';
import { keptOf } from '../../db/organizations/quotas';
import { countOf, newCampaign } from './support/rows';
import {
  openTestApi,
  type Answer,
  type Asked,
  type TestApi,
  type TestOrganization,
} from './support/test-api';

let api: TestApi;
let organization: TestOrganization;
let path: string;

const ASHA = { external_id: 'crm-1', name: 'Asha Rao', phone_number: '98765 43210' };

beforeAll(async () => {
  api = await openTestApi({ settings: { allowedCountries: ['IN', 'US'] } });
});
beforeEach(async () => {
  organization = await api.newOrganization();
  path = `/api/contact-lists/${await newList()}`;
});
afterAll(() => api.close());

const ask = (to: string, asked: Asked = {}): Promise<Answer> => api.ask(to, { as: organization, ...asked });
const newList = async (name = 'Customers'): Promise<string> =>
  (await ask('/api/contact-lists', { json: { name } })).body.id;
const add = (contacts: unknown[], headers = {}, to = path): Promise<Answer> =>
  ask(`${to}/contacts`, { json: { contacts }, headers });
const contacts = async (query = ''): Promise<any[]> => (await ask(`${path}/contacts${query}`)).body.data;
const audit = async () =>
  (await api.db('audit_log').where({ organization_id: organization.id }).orderBy('id')).map(
    ({ action }) => action,
  );
const code = ({ status, body }: Answer) => [status, body.code ?? body.detail?.code];

test('creates a list, returns it, and lists all of them, newest first', async () => {
  api.clock.time += 1_000;
  const { status, body } = await ask('/api/contact-lists', { json: { name: ' Leads ' } });
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(String),
      name: 'Leads',
      contacts: 0,
      created_at: new Date(api.clock.time).toISOString(),
      updated_at: new Date(api.clock.time).toISOString(),
    },
  ]);
  expect((await ask(`/api/contact-lists/${body.id}`)).body).toEqual(body);
  const page = (await ask('/api/contact-lists?page_size=1')).body;
  expect(page.data).toEqual([body]);
  expect(page.pagination).toMatchObject({ total_count: 2, total_pages: 2 });
  expect(await audit()).toEqual(['contact_list.create', 'contact_list.create']);
});

test.each([[{}], [{ name: ' ' }], [{ name: 7 }], [{ name: 'x'.repeat(256) }]])(
  'returns 422 for a list with %j',
  async (json) => {
    expect(code(await ask('/api/contact-lists', { json }))).toEqual([422, undefined]);
  },
);

test("returns 404 for an unknown list and for another organization's", async () => {
  await add([ASHA]);
  const [{ id }] = await contacts();
  for (const list of [path, `/api/contact-lists/${randomUUID()}`]) {
    const as = api.stranger;
    const answers = [
      await ask(list, { as }),
      await ask(list, { as, method: 'DELETE' }),
      await ask(`${list}/contacts`, { as }),
      await ask(`${list}/contacts`, { as, json: { contacts: [ASHA] } }),
      await ask(`${list}/contacts/${id}`, { as }),
      await ask(`${list}/contacts/${id}`, { as, method: 'PUT', json: ASHA }),
      await ask(`${list}/contacts/${id}`, { as, method: 'DELETE' }),
      await ask(`${list}/imports/${randomUUID()}/skipped.csv`, { as }),
    ];
    expect(answers.map(code)).toEqual(answers.map(() => [404, 'CONTACT_LIST_NOT_FOUND']));
  }
  expect(await contacts()).toHaveLength(1);
});

test('adds a contact with all fields and its zone key', async () => {
  const given = {
    ...ASHA,
    timezone: 'Asia/Kolkata',
    language: 'hi',
    consent_at: '2026-10-01T10:00:00+05:30',
    consent_source: 'web form',
    metadata: { city: 'Pune', visits: 3 },
  };
  const { status, body } = await add([given]);
  expect([status, body]).toEqual([
    200,
    {
      import_id: expect.any(String),
      added: 1,
      updated: 0,
      skipped: 0,
      skipped_by_reason: [],
      skipped_rows: [],
      skipped_csv: null,
    },
  ]);
  const now = new Date(api.clock.time).toISOString();
  expect(await contacts()).toEqual([
    {
      ...given,
      id: expect.stringMatching(/^\d+$/),
      phone_number: '+919876543210',
      consent_at: '2026-10-01T04:30:00.000Z',
      created_at: now,
      updated_at: now,
    },
  ]);
  await add([{ name: 'Ravi', phone_number: '+12125550123' }]);
  const stored = await api.db('list_contacts').where({ organization_id: organization.id }).orderBy('id');
  expect(stored.map((row) => [row.zone_key, row.folded_name])).toEqual([
    [canonicalZone('Asia/Kolkata'), 'asha rao'],
    [expect.stringMatching(/^\+1/), 'ravi'],
  ]);
  expect(await audit()).toEqual(['contact_list.create', 'contact_list.import', 'contact_list.import']);
});

test('updates a contact with the same external id, or without one with the same number', async () => {
  await add([ASHA, { name: 'Dev', phone_number: '9876543211' }]);
  const { body } = await add([
    { ...ASHA, name: 'Asha R', phone_number: '9876543299' },
    { name: 'Dev S', phone_number: '+919876543211' },
    { external_id: 'crm-2', name: 'Same number', phone_number: '9876543211' },
    { external_id: 'crm-2', name: 'Later counts', phone_number: '9876543211' },
  ]);
  expect(body).toMatchObject({ added: 1, updated: 3, skipped: 0 });
  expect((await contacts()).map((each) => [each.external_id, each.name, each.phone_number])).toEqual([
    ['crm-1', 'Asha R', '+919876543299'],
    [null, 'Dev S', '+919876543211'],
    ['crm-2', 'Later counts', '+919876543211'],
  ]);
  expect((await ask(path)).body.contacts).toBe(3);
});

test('skips contacts at fault, names column and reason, and stores the others', async () => {
  const { status, body } = await add([
    ASHA,
    { ...ASHA, name: ' ' },
    { ...ASHA, phone_number: '12' },
    { ...ASHA, phone_number: '+442079460000' },
    { ...ASHA, timezone: 'Pune' },
    { ...ASHA, consent_at: 'yesterday' },
    { ...ASHA, external_id: 7 },
    { ...ASHA, metadata: { text: 'x'.repeat(17_000) } },
    { ...ASHA, metadata: [] },
    { ...ASHA, consent_source: 'x'.repeat(256) },
    'Asha',
  ]);
  expect([status, body.added, body.updated, body.skipped]).toEqual([200, 1, 0, 10]);
  expect(body.skipped_rows.map((each: any) => [each.row, each.column])).toEqual([
    [2, 'name'],
    [3, 'phone_number'],
    [4, 'phone_number'],
    [5, 'timezone'],
    [6, 'consent_at'],
    [7, 'external_id'],
    [8, 'metadata'],
    [9, 'metadata'],
    [10, 'consent_source'],
    [11, null],
  ]);
  expect(body.skipped_by_reason.reduce((sum: number, { count }: any) => sum + count, 0)).toBe(10);
  const file = await ask(new URL(body.skipped_csv).pathname);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const lines = file.text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(11);
  expect(lines.slice(0, 2)).toEqual(['row,column,reason', '2,name,is empty']);
  expect(JSON.stringify(body) + file.text).not.toMatch(/442079460000|yesterday|Pune/);
});

test.each([
  [{ contacts: [] }],
  [{ contacts: 'Asha' }],
  [{}],
  [{ contacts: Array.from({ length: 1_001 }, () => ASHA) }],
])('returns 422 for a body that is not a list of 1 to 1,000 contacts', async (json) => {
  expect((await ask(`${path}/contacts`, { json })).status).toBe(422);
});

test('returns 415 for a body that is neither JSON nor a form', async () => {
  const headers = { 'Content-Type': 'text/plain' };
  expect(code(await ask(`${path}/contacts`, { method: 'POST', body: 'Asha', headers }))).toEqual([
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ]);
});

test('adds contacts once per Idempotency-Key', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const first = await add([ASHA], headers);
  const second = await add([ASHA], headers);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(code(await add([{ ...ASHA, name: 'Other' }], headers))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
});

test('returns the result of an earlier run whose response was not stored', async () => {
  const key = randomUUID();
  const { body } = await add([ASHA, { name: '' }], { 'Idempotency-Key': key });
  await api
    .db('idempotency_keys')
    .where({ key })
    .update({ answer: null, leased_until: new Date(0) });
  expect((await add([ASHA, { name: '' }], { 'Idempotency-Key': key })).body).toEqual(body);
});

test('returns 409 when the contacts do not fit into the quota', async () => {
  await api
    .db('organizations')
    .where({ id: organization.id })
    .update({ quotas: { contacts: 2 } });
  const three = [1, 2, 3].map((n) => ({ name: 'Asha', phone_number: `987654321${n}` }));
  expect((await add(three)).body).toMatchObject({ added: 0, skipped: 3 });
  expect((await add(three.slice(0, 2))).body).toMatchObject({ added: 2, skipped: 0 });
  expect(code(await add(three))).toEqual([409, 'QUOTA_EXCEEDED']);
});

test('counts the contacts of lists towards the quota, until they are removed', async () => {
  await add([ASHA, { name: 'Dev', phone_number: '9876543211' }]);
  const kept = async () => (await keptOf(api.db, organization.id)).contacts;
  expect(await kept()).toBe(2);
  const [{ id }] = await contacts();
  expect((await ask(`${path}/contacts/${id}`, { method: 'DELETE' })).body).toEqual({ success: true });
  expect(await kept()).toBe(1);
  await ask(path, { method: 'DELETE' });
  expect(await kept()).toBe(0);
});

test.each([
  ['98765 43210', ['Asha Rao']],
  ['ASHA', ['Asha Rao', 'Asha Shah']],
  ['Rao', []],
  ['9876543219', []],
])('searches a list for %s and finds %j', async (search, found) => {
  await add([ASHA, { name: 'Asha Shah', phone_number: '9876543211' }]);
  await add([ASHA], {}, `/api/contact-lists/${await newList('Another')}`);
  const { body } = await ask(`${path}/contacts?search=${encodeURIComponent(search)}`);
  expect(body.data.map(({ name }: any) => name)).toEqual(found);
  expect(body.pagination.total_count).toBe(found.length);
});

test('returns pages of contacts in the order in which they were added', async () => {
  await add([1, 2, 3].map((n) => ({ name: `Asha ${n}`, phone_number: `987654321${n}` })));
  const { body } = await ask(`${path}/contacts?page=2&page_size=2`);
  expect(body.data.map(({ name }: any) => name)).toEqual(['Asha 3']);
  expect(body.pagination).toMatchObject({ total_count: 3, total_pages: 2, has_next: false });
  expect((await contacts('?search=asha&page=2&page_size=2')).map(({ name }) => name)).toEqual(['Asha 3']);
});

test('replaces all fields of a contact', async () => {
  await add([{ ...ASHA, language: 'hi' }]);
  const [{ id }] = await contacts();
  api.clock.time += 1_000;
  const json = { name: 'Asha R', phone_number: '+12125550123', timezone: 'America/Denver' };
  const { status, body } = await ask(`${path}/contacts/${id}`, { method: 'PUT', json });
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      id,
      name: 'Asha R',
      external_id: null,
      language: null,
      timezone: 'America/Denver',
    }),
  ]);
  expect((await ask(`${path}/contacts/${id}`)).body).toEqual(body);
  expect(await api.db('list_contacts').where({ id }).first()).toMatchObject({
    zone_key: 'America/Denver',
    folded_name: 'asha r',
  });
});

test('returns 422 with the field that is at fault, and 409 for the id or number of another contact', async () => {
  await add([ASHA, { name: 'Dev', phone_number: '9876543211' }]);
  const [asha, dev] = await contacts();
  const put = (id: string, json: object) => ask(`${path}/contacts/${id}`, { method: 'PUT', json });
  const fault = await put(dev.id, { ...ASHA, phone_number: '12' });
  expect([fault.status, fault.body.detail[0].loc]).toEqual([422, ['body', 'phone_number']]);
  expect(code(await put(dev.id, ASHA))).toEqual([409, 'CONTACT_EXISTS']);
  expect(code(await put(asha.id, { name: 'Asha', phone_number: '9876543211' }))).toEqual([
    409,
    'CONTACT_EXISTS',
  ]);
  expect((await put(asha.id, ASHA)).status).toBe(200);
});

test('removes a contact, and returns 404 for it afterwards', async () => {
  await add([ASHA]);
  const [{ id }] = await contacts();
  expect((await ask(`${path}/contacts/${id}`, { method: 'DELETE' })).body).toEqual({ success: true });
  const answers = [
    await ask(`${path}/contacts/${id}`),
    await ask(`${path}/contacts/${id}`, { method: 'PUT', json: ASHA }),
    await ask(`${path}/contacts/${id}`, { method: 'DELETE' }),
    await ask(`${path}/contacts/asha`),
  ];
  expect(answers.map(code)).toEqual(answers.map(() => [404, 'CONTACT_NOT_FOUND']));
  expect((await ask(path)).body.contacts).toBe(0);
  expect(await audit()).toEqual(['contact_list.create', 'contact_list.import', 'contact.remove']);
});

test('withdraws a removed contact from open campaigns and wakes them', async () => {
  await add([ASHA]);
  const [{ id }] = await contacts();
  const campaignId = await newCampaign(api, { as: organization });
  const copy = api.db('contacts').where({ campaign_id: campaignId, row_number: 2 });
  await copy.clone().update({ list_contact_id: id });
  const another = `/api/contact-lists/${await newList('Another')}`;
  expect((await ask(`${another}/contacts/${id}`, { method: 'DELETE' })).status).toBe(404);
  expect(await copy.clone().first()).toMatchObject({ state: 'pending' });
  expect((await ask(`${path}/contacts/${id}`, { method: 'DELETE' })).body).toEqual({ success: true });
  expect(await copy.clone().first()).toMatchObject({ state: 'cancelled', reason: 'removed from its list' });
  expect(api.temporal.workflowSignals.at(-1)).toEqual({ granted: [], refillCampaignId: campaignId });
});

test('deletes a list with its contacts and files, unless a campaign that has not ended uses it', async () => {
  await removeListContacts(api.db, () => undefined);
  const { body } = await add([ASHA, { name: '' }]);
  const campaignId = await newCampaign(api, { as: organization });
  const listId = path.split('/').at(-1);
  const campaign = api.db('campaigns').where({ id: campaignId });
  await campaign.clone().update({ contact_list_id: listId });
  expect(code(await ask(path, { method: 'DELETE' }))).toEqual([409, 'CONTACT_LIST_IN_USE']);
  await campaign.clone().update({ status: 'completed', ended_at: new Date(api.clock.time) });
  expect((await ask(path, { method: 'DELETE' })).body).toEqual({ success: true });
  expect(code(await ask(path))).toEqual([404, 'CONTACT_LIST_NOT_FOUND']);
  expect((await ask(new URL(body.skipped_csv).pathname)).status).toBe(404);
  expect(await campaign.clone().first()).toMatchObject({ contact_list_id: null });
  expect(
    await api
      .db('files_to_remove')
      .where({ storage_key: `skipped-${body.import_id}.csv` })
      .first(),
  ).toMatchObject({ removable_from: new Date(api.clock.time) });
  expect(await removeListContacts(api.db, () => undefined)).toBe(1);
  expect([
    await countOf(api, 'removed_lists'),
    await api.db('list_contacts').where({ list_id: listId }),
  ]).toEqual([0, []]);
  expect(await audit()).toEqual(
    expect.arrayContaining(['contact_list.create', 'contact_list.import', 'contact_list.delete']),
  );
});
