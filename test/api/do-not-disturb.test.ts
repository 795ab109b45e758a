/** The do-not-disturb list as an organization maintains it over the API. */
import { isOnDndList } from '../../db/calls/do-not-disturb';
import { issueApiKey } from '../../db/organizations/api-keys';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';

const NUMBER = '+919876543210';

let api: TestApi;
let organization: TestOrganization;

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  organization = await api.newOrganization();
});
afterAll(() => api.close());

const add = (json: object, as: TestOrganization = organization): Promise<Answer> =>
  api.ask('/api/do-not-disturb', { as, json });
const remove = (phone_number: string, as: TestOrganization = organization): Promise<Answer> =>
  api.ask('/api/do-not-disturb/remove', { as, json: { phone_number } });
const list = (query = '', as: TestOrganization = organization): Promise<Answer> =>
  api.ask(`/api/do-not-disturb${query}`, { as });
const audit = async () =>
  (await api.db('audit_log').where({ organization_id: organization.id }).orderBy('id')).map(
    ({ action }) => action,
  );

test('adds a number in any notation, with the time and the source', async () => {
  const { status, body } = await add({ phone_number: '098765 43210', source: ' asked by e-mail ' });
  const item = {
    phone_number: NUMBER,
    source: 'asked by e-mail',
    added_at: new Date(api.clock.time).toISOString(),
    call_id: null,
  };
  expect([status, body]).toEqual([200, item]);
  expect(await isOnDndList(api.db, organization.id, NUMBER)).toBe(true);
  expect((await list()).body.data).toEqual([item]);
});

test('keeps the first source of a number that is added twice, and records one addition', async () => {
  await add({ phone_number: NUMBER, source: 'first' });
  api.clock.time += 1_000;
  expect((await add({ phone_number: NUMBER, source: 'second' })).body.source).toBe('first');
  expect(await audit()).toEqual(['dnd.add']);
});

test('finds a listed number in any notation, and no other number', async () => {
  await add({ phone_number: NUMBER });
  await add({ phone_number: '+919876543211' });
  const found = await list(`?phone_number=${encodeURIComponent('98765-43210')}`);
  expect(found.body.data.map((each: any) => each.phone_number)).toEqual([NUMBER]);
  expect(found.body.pagination.total_count).toBe(1);
  expect((await list('?phone_number=9876543219')).body.data).toEqual([]);
});

test('returns 422 with the field of a malformed number', async () => {
  const answers = [await add({ phone_number: '12' }), await remove('12'), await list('?phone_number=12')];
  expect(answers.map(({ status, body }) => [status, body.detail[0].loc])).toEqual([
    [422, ['body', 'phone_number']],
    [422, ['body', 'phone_number']],
    [422, ['query', 'phone_number']],
  ]);
});

test('removes a number, succeeds when repeated, and records one removal', async () => {
  await add({ phone_number: NUMBER });
  expect([(await remove(NUMBER)).body, (await remove(NUMBER)).body]).toEqual([
    { success: true },
    { success: true },
  ]);
  expect(await isOnDndList(api.db, organization.id, NUMBER)).toBe(false);
  expect(await audit()).toEqual(['dnd.add', 'dnd.remove']);
});

test('allows a key with the scope operate to add numbers, but not to remove them', async () => {
  const { key } = await issueApiKey(api.db, organization.id, { scopes: ['operate'] });
  const as = { ...organization, key };
  expect((await add({ phone_number: NUMBER }, as)).status).toBe(200);
  expect((await remove(NUMBER, as)).status).toBe(403);
});

test('keeps another organization from reading or changing the list', async () => {
  await add({ phone_number: NUMBER });
  await remove(NUMBER, api.stranger);
  expect((await list('', api.stranger)).body.data).toEqual([]);
  expect((await list(`?phone_number=${encodeURIComponent(NUMBER)}`, api.stranger)).body.data).toEqual([]);
  expect(await isOnDndList(api.db, organization.id, NUMBER)).toBe(true);
});

test('returns the newest numbers first, in pages', async () => {
  for (const last of [1, 2, 3]) {
    api.clock.time += 1_000;
    await add({ phone_number: `+91987654321${last}` });
  }
  const numbers = async (page: number) =>
    (await list(`?page=${page}&page_size=2`)).body.data.map((each: any) => each.phone_number);
  expect([await numbers(1), await numbers(2)]).toEqual([
    ['+919876543213', '+919876543212'],
    ['+919876543211'],
  ]);
});

test("writes no number to the audit log or the API's log", async () => {
  await add({ phone_number: NUMBER });
  await list(`?phone_number=${encodeURIComponent(NUMBER)}`);
  await remove(NUMBER);
  const records = JSON.stringify(await api.db('audit_log').where({ organization_id: organization.id }));
  for (const text of [records, ...api.logLines()]) expect(text).not.toContain('9876543210');
});
