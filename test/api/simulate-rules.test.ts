/** Tests the dry run and the forecast of campaigns with a local window or rule profiles. */
import { campaignForm, newAgent, withFile } from './support/rows';
import { MONDAY, openTestApi, type Answer, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());

type Changes = Record<string, string | null>;

const ask = (path: string, changes: Changes, file: string): Promise<Answer> =>
  api.ask(`/api/campaigns/${path}`, { body: withFile(campaignForm(agentId, changes), file) });

async function forecast(changes: Changes, file: string): Promise<any> {
  const { status, body, text } = await ask('simulate', changes, file);
  expect([status, text]).toEqual([200, expect.anything()]);
  return body;
}

describe('a campaign with rules', () => {
  const FILE = `name,phone_number,timezone
Asha,9876543210,
Ravi,9876543211,America/Denver
Meera,9876543212,Pacific/Auckland
`;
  const LOCAL = {
    window_timezone: 'contact',
    start_time: '09:00',
    end_time: '20:00',
    from_date: '2026-11-02',
    to_date: '2026-11-03',
    days_of_week: 'monday',
    concurrency: '1',
  };

  test('dials each contact in its own window, and shows when the contacts of each zone can be called', async () => {
    const body = await forecast(LOCAL, FILE);
    expect(body).toMatchObject({
      contacts: { completed: 3, invalid: 0 },
      refused_by_rule: [{ rule: 'window', contacts: 1 }],
      zones: expect.arrayContaining([
        {
          zone: 'America/Denver',
          contacts: 1,
          opens_at: '2026-11-02T16:00:00.000Z',
          closes_at: '2026-11-03T03:00:00.000Z',
        },
        {
          zone: 'Asia/Calcutta',
          contacts: 1,
          opens_at: new Date(MONDAY).toISOString(),
          closes_at: '2026-11-02T14:30:00.000Z',
        },
      ]),
      short_windows: { contacts: 0, rows: [] },
    });
    expect(body.calls_per_hour.map(({ from }: any) => from)).toEqual(
      expect.arrayContaining(['2026-11-02T05:00:00.000Z', '2026-11-02T16:00:00.000Z']),
    );
    expect(body.finishes_at).toMatch(/^2026-11-02T16:0/);
  });

  test('counts the contacts without consent as invalid', async () => {
    const body = await forecast({ ...LOCAL, rule_profile: 'us-tcpa' }, FILE);
    expect(body).toMatchObject({
      total_calls: 0,
      contacts: { total: 3, invalid: 3, pending: 0 },
      refused_by_rule: expect.arrayContaining([{ rule: 'consent', contacts: 3 }]),
    });
  });

  test('forecasts the rest of a campaign by its local window', async () => {
    const answer = await ask('create', LOCAL, FILE);
    const { body } = await api.ask(`/api/campaigns/${answer.body.id}/forecast`);
    expect(body).toMatchObject({
      refused_by_rule: [{ rule: 'window', contacts: 1 }],
      contacts: { completed: 3 },
    });
  });
});
