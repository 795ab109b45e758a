/** The page on which the owner of an e-mail address agrees to receive reports. */
import { confirmationPath } from '../../db/campaigns/mail-addresses';
import { newAgent, newCampaign } from './support/rows';
import { openTestApi, type Answer, type TestApi } from './support/test-api';

const DAY_MS = 86_400_000;
const ADDRESS = 'asha@example.com';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const open = (path: string, method = 'GET'): Promise<Answer> => api.ask(path, { as: null, method });

async function asked(): Promise<{ id: string; campaignId: string; path: string }> {
  await api.db('mail_addresses').delete();
  const campaignId = await newCampaign(api, { notification_emails: ADDRESS });
  const [{ id }] = await api.db('mail_addresses').where({ organization_id: api.organization.id });
  return { id, campaignId, path: confirmationPath(api.secretsKeys, id, api.clock.time) };
}

const statusOf = async (campaignId: string) =>
  (await api.ask(`/api/campaigns/${campaignId}`)).body.completion_mails as {
    email: string;
    status: string;
  }[];

test('confirms the address when the form is sent, not when the page is opened', async () => {
  const { campaignId, path } = await asked();
  expect(await statusOf(campaignId)).toEqual([{ email: ADDRESS, status: 'unconfirmed' }]);
  for (const method of ['GET', 'HEAD']) expect((await open(path, method)).status).toBe(200);
  expect(await statusOf(campaignId)).toEqual([{ email: ADDRESS, status: 'unconfirmed' }]);
  const page = await open(path);
  expect(page.text).toContain('<form method="post">');
  expect(page.text).not.toContain(ADDRESS);
  expect((await open(path, 'POST')).status).toBe(200);
  expect((await open(path, 'POST')).status).toBe(200);
  expect(await statusOf(campaignId)).toEqual([{ email: ADDRESS, status: 'confirmed' }]);
});

test('rejects a forged or expired link, or one for another address, without a query', async () => {
  const { id, path } = await asked();
  const statements: string[] = [];
  const watch = ({ sql }: { sql: string }): void => void statements.push(sql);
  api.db.on('query', watch);
  const other = '00000000-0000-4000-8000-000000000000';
  const wrong = [path.replace(id, other), path.slice(0, -1), path.replace('id=', 'no='), '/confirm-email'];
  const late = confirmationPath(api.secretsKeys, id, api.clock.time - 7 * DAY_MS);
  for (const link of [...wrong, late])
    for (const method of ['GET', 'POST'])
      expect([link, (await open(link, method)).status]).toEqual([link, 404]);
  api.db.off('query', watch);
  expect(statements).toEqual([]);
});

test("escapes the organization's name, and can't be framed", async () => {
  const { path } = await asked();
  await api.db('organizations').where({ id: api.organization.id }).update({ name: '<img src=x>' });
  const { text, headers } = await open(path);
  expect(text).not.toContain('<img');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

test('requests confirmation from an address that an update adds, unless the operator allows its domain', async () => {
  const { campaignId } = await asked();
  const mails = () => api.db('completion_mails').where({ campaign_id: campaignId }).orderBy('recipient');
  expect(await mails()).toMatchObject([
    { recipient: 101, kind: 'confirmation', address: ADDRESS, status: 'pending' },
  ]);
  const change = { method: 'PUT', json: { notification_emails: `${ADDRESS},ravi@example.com` } };
  expect((await api.ask(`/api/campaigns/${campaignId}`, change)).status).toBe(200);
  expect((await mails()).map(({ address }) => address)).toEqual([ADDRESS, 'ravi@example.com']);
  const allowing = await openTestApi({ settings: { mailConfirmedDomains: ['example.com'] } });
  await newAgent(allowing);
  await newCampaign(allowing, { notification_emails: ADDRESS });
  expect(await allowing.db('mail_addresses')).toEqual([]);
  await allowing.close();
});
