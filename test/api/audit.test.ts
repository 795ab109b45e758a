/** Tests how an organization reads its audit log. The tests of each change cover what is recorded. */
import { recordAudit } from '../../db/organizations/audit';
import { issueApiKey } from '../../db/organizations/api-keys';
import { newAgent, newCampaign } from './support/rows';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';

let api: TestApi;
let organization: TestOrganization;
let keyId: string;

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  organization = await api.newOrganization();
  ({ id: keyId } = await api.db('api_keys').where({ organization_id: organization.id }).first('id'));
});
afterAll(() => api.close());

const list = (query = '', as: TestOrganization = organization): Promise<Answer> =>
  api.ask(`/api/audit${query}`, { as });
const actions = async (query = '') => (await list(query)).body.data.map(({ action }: any) => action);

const byOperator = () =>
  recordAudit(api.db, {
    organizationId: organization.id,
    actor: { kind: 'operator', id: 'asha@laptop', requestId: null },
    action: 'org.update',
    subjectId: organization.id,
    fields: ['spend_per_day'],
    now: api.clock.now(),
  });

test('returns time, actor, action and subject of each entry, newest first', async () => {
  const campaignId = await newCampaign(api, { as: organization, campaign_name: 'December' });
  api.clock.time += 1_000;
  await api.ask(`/api/campaigns/${campaignId}/pause`, {
    as: organization,
    method: 'POST',
    headers: { 'X-Request-Id': 'the-pause' },
  });
  const { body } = await list();
  expect(body.data.map(({ action }: any) => action)).toEqual([
    'campaign.pause',
    'campaign.create',
    'agent.create',
  ]);
  expect(body.data[0]).toEqual({
    at: new Date(api.clock.now()).toISOString(),
    actor: { kind: 'api_key', id: keyId, name: expect.any(String) },
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
    action: 'campaign.pause',
    subject_id: campaignId,
    subject_name: 'December',
    fields: [],
    request_id: 'the-pause',
  });
  expect(body.pagination).toMatchObject({ total_count: 3, page: 1 });
});

test('filters by actor, action, subject and time', async () => {
  const agentId = await newAgent(api, { as: organization });
  api.clock.time += 86_400_000;
  await byOperator();
  const day = new Date(api.clock.now()).toISOString().slice(0, 10);
  expect(await actions()).toEqual(['org.update', 'agent.create']);
  expect(await actions(`?actor_id=${keyId}`)).toEqual(['agent.create']);
  expect(await actions('?actor_kind=operator')).toEqual(['org.update']);
  expect(await actions('?action=agent.create')).toEqual(['agent.create']);
  expect(await actions(`?subject_id=${agentId}`)).toEqual(['agent.create']);
  expect(await actions(`?from=${day}`)).toEqual(['org.update']);
  expect(await actions(`?to=${day}`)).toEqual(['agent.create']);
  expect(await actions('?page=2&page_size=1')).toEqual(['agent.create']);
  expect(await actions('?page=3&page_size=1')).toEqual([]);
});

test('hides which operator made a change', async () => {
  await byOperator();
  const { text, body } = await list();
  expect(body.data[0]).toMatchObject({
    actor: { kind: 'operator', id: null, name: null },
    fields: ['spend_per_day'],
  });
  expect(text).not.toContain('asha');
});

test.each(['action=campaign.delete', 'actor_id=asha', 'from=yesterday', 'page_size=201'])(
  'returns 422 for ?%s',
  async (query) => {
    expect((await list(`?${query}`)).status).toBe(422);
  },
);

test('returns no entries of another organization, and requires the scope configure', async () => {
  await newAgent(api, { as: organization });
  const stranger = await api.newOrganization();
  expect((await list('', stranger)).body.data).toEqual([]);
  const { key } = await issueApiKey(api.db, organization.id, { scopes: ['read', 'operate'] });
  expect((await list('', { ...organization, key })).status).toBe(403);
});
