/** Searches for people in one campaign and in all campaigns. */
import { campaignForm, newAgent, newCampaign, withFile } from './support/rows';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';

const FILE =
  'name,phone_number\nAsha Rao,9876543210\nRavi Asharam,9876543211\nMeera 100%,9876543212\nMeera Nair,9876543213\n';

let api: TestApi;
let organization: TestOrganization;
let campaignId: string;

beforeAll(async () => {
  api = await openTestApi();
  organization = await api.newOrganization();
  campaignId = await launched('November', FILE);
});
afterAll(() => api.close());

async function launched(campaign_name: string, file: string): Promise<string> {
  api.clock.time += 1_000;
  const form = campaignForm(await newAgent(api, { as: organization }), { campaign_name });
  const answer = await api.ask('/api/campaigns/create', { as: organization, body: withFile(form, file) });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id;
}

const within = (search: string, more = '', as = organization): Promise<Answer> =>
  api.ask(`/api/campaigns/${campaignId}/contacts?search=${encodeURIComponent(search)}${more}`, { as });
const anywhere = (search: string, more = '', as = organization): Promise<Answer> =>
  api.ask(`/api/contacts?search=${encodeURIComponent(search)}${more}`, { as });
const names = ({ body }: Answer): string[] => body.data.map(({ name }: any) => name);

test.each([
  ['098765 43211', ['Ravi Asharam']],
  ['+91 98765-43210', ['Asha Rao']],
  ['asha', ['Asha Rao', 'Ravi Asharam']],
  ['RAO', ['Asha Rao']],
  ['100%', ['Meera 100%']],
  ['%', []],
  ['sha', []],
  ['9876543219', []],
])('searches a campaign for %s and finds %j', async (search, found) => {
  const answer = await within(search);
  expect(names(answer)).toEqual(found);
  expect(answer.body.pagination.total_count).toBe(found.length);
});

test('finds a name in any case and spelling, in one campaign and in all', async () => {
  const owner = await api.newOrganization();
  const form = campaignForm(await newAgent(api, { as: owner }), { campaign_name: 'Spellings' });
  const rows = [
    'Élodie Dupont',
    'ÖZGE Şahin'.normalize('NFD'),
    'Ёлка Иванова',
    'ΝΊΚΟΣ Ρήγας',
    'Sean O’Brien',
    '王 小明',
  ];
  const file = `name,phone_number\n${rows.map((name, n) => `${name},987654300${n}`).join('\n')}\n`;
  const { body } = await api.ask('/api/campaigns/create', { as: owner, body: withFile(form, file) });
  const searches = ['élodie', 'özge', 'ёлка'.normalize('NFD'), 'νίκος', "sean o'brien", '王'];
  for (const [n, search] of searches.entries()) {
    const query = `?search=${encodeURIComponent(search)}`;
    expect(names(await api.ask(`/api/contacts${query}`, { as: owner }))).toEqual([rows[n]]);
    expect(names(await api.ask(`/api/campaigns/${body.id}/contacts${query}`, { as: owner }))).toEqual([
      rows[n],
    ]);
  }
  expect(names(await anywhere('élodie'))).toEqual([]);
});

test('filters a search within a campaign by state, and returns pages', async () => {
  expect(names(await within('meera', '&state=completed'))).toEqual([]);
  expect(names(await within('meera', '&state=pending&page=2&page_size=1'))).toEqual(['Meera Nair']);
});

test('finds a person in all campaigns of the organization, newest first, by number or start of the name', async () => {
  const december = await launched('December', 'name,phone_number\nAsha R,9876543210\n');
  const { body } = await anywhere('9876543210');
  expect(body.data).toEqual([
    {
      campaign_id: december,
      campaign_name: 'December',
      row: 2,
      name: 'Asha R',
      phone_number: '+919876543210',
      state: 'pending',
    },
    expect.objectContaining({ campaign_id: campaignId, name: 'Asha Rao', row: 2 }),
  ]);
  expect(body.pagination.total_count).toBe(2);
  expect(names(await anywhere('asha r', '&page=2&page_size=1'))).toEqual(['Asha Rao']);
  expect(names(await anywhere('%'))).toEqual([]);
});

test('finds no contacts of another organization', async () => {
  await newCampaign(api, { as: api.stranger });
  expect((await within('asha', '', api.stranger)).status).toBe(404);
  for (const search of ['asha rao', '9876543213'])
    expect((await anywhere(search, '', api.stranger)).body.data).toEqual([]);
});

test('returns an empty list across all campaigns without a search', async () => {
  expect((await api.ask('/api/contacts', { as: organization })).body.data).toEqual([]);
});

test('returns 422 for an empty search', async () => {
  expect([(await within(' ')).status, (await anywhere('')).status]).toEqual([422, 422]);
});

test('logs neither the number nor the name that was searched for', () => {
  for (const line of api.logLines()) expect(line).not.toMatch(/9876543210|asha/i);
});
