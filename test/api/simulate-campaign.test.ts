import { CONTACTS, campaignForm, newAgent, withFile, newCall } from './support/rows';
import { tableHashes } from './support/table-hashes';
import { MONDAY, openTestApi, type Answer, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi({ settings: { creditsPerMinute: 0.1 } });
  agentId = await newAgent(api);
});
afterAll(() => api.close());

type Changes = Record<string, string | null>;

const numbered = (count: number): string =>
  ['name,phone_number', ...Array.from({ length: count }, (_, n) => `Person ${n},98765${pad(n)}`), ''].join(
    '\n',
  );
const pad = (n: number): string => String(n).padStart(5, '0');

const ask = (path: string, changes: Changes = {}, file = CONTACTS): Promise<Answer> =>
  api.ask(`/api/campaigns/${path}`, { body: withFile(campaignForm(agentId, changes), file) });
const simulate = (changes?: Changes, file?: string) => ask('simulate', changes, file);

async function forecast(changes?: Changes, file?: string): Promise<any> {
  const { status, body, text } = await simulate(changes, file);
  expect([status, text]).toEqual([200, expect.anything()]);
  return body;
}

describe('POST /api/campaigns/simulate', () => {
  test('returns the end and the cost of the campaign, and the assumptions', async () => {
    const changes = { assumed_answer_rate: '0.5', assumed_talk_seconds: '61', concurrency: '2' };
    const body = await forecast({ ...changes, retry_delay_mins: '30', max_retries: '2' }, numbered(4));
    expect(body).toEqual({
      status: 'completed',
      // Two lines, four contacts: two answer at first; half an hour later the other two are redialled and one
      // answers.
      finishes_at: expect.stringMatching(/^2026-11-02T05:3\d:\d\d\.000Z$/),
      paused_at: null,
      total_calls: 6,
      answered_calls: 3,
      peak_lines: 2,
      cost: 0.6,
      lines: {
        used_at_most: 2,
        campaign: 2,
        organization: 10,
        assumption: expect.stringContaining('no other campaign'),
      },
      contacts: {
        total: 4,
        completed: 3,
        failed: 1,
        duplicate: 0,
        dnd: 0,
        expired: 0,
        invalid: 0,
        pending: 0,
      },
      expired: { total: 0, never_dialled: 0, rows: [] },
      calls_per_day: [{ from: '2026-11-02T00:00:00.000Z', calls: 6, answered: 3 }],
      calls_per_day_total: 1,
      calls_per_hour: [{ from: '2026-11-02T05:00:00.000Z', calls: 6, answered: 3 }],
      calls_per_hour_total: 1,
      assumptions: {
        starts_at: new Date(MONDAY).toISOString(),
        assumed_answer_rate: 0.5,
        assumed_redial_answer_rate: 0.5,
        assumed_talk_seconds: 61,
        assumed_ring_seconds: 15,
        assumed_dnd_rate: 0,
        credits_per_minute: 0.1,
        calls_per_second: null,
        spend_per_day: null,
      },
    });
  });

  test('uses the documented assumptions by default', async () => {
    const { assumptions } = await forecast({ assumed_talk_seconds: ' ' });
    expect(assumptions).toMatchObject({
      assumed_answer_rate: 0.6,
      assumed_redial_answer_rate: 0.6,
      assumed_talk_seconds: 60,
      assumed_ring_seconds: 15,
      assumed_dnd_rate: 0,
    });
  });

  test.each([
    ['0.4565339856656344', 0.456534],
    ['5e-1', 0.5],
    ['1.5E-05', 0.000015],
    ['1e-300', 0],
    ['.25', 0.25],
    ['-0.0', 0],
    ['1.0', 1],
  ])(
    'accepts the share %s in any notation of JSON or HTML forms, rounded to a millionth',
    async (text, read) => {
      const { assumptions } = await forecast({ assumed_answer_rate: text, assumed_redial_answer_rate: text });
      const { assumed_answer_rate, assumed_redial_answer_rate } = assumptions;
      expect([assumed_answer_rate, assumed_redial_answer_rate]).toEqual([read, read]);
    },
  );

  test.each(['1.0000001', '1e1', '-1e-9', '0x1', '1.', '+1', 'NaN', 'Infinity', '1e999', '5 %', '0,5', 'e1'])(
    'rejects %s as a share',
    async (text) => {
      const { status, body } = await simulate({ assumed_answer_rate: text });
      expect([status, body.details?.map(({ field }: any) => field)]).toEqual([422, ['assumed_answer_rate']]);
    },
  );

  test('returns the same result for the same request', async () => {
    const changes = { assumed_answer_rate: '0.37', perform_dnd_check: 'true', assumed_dnd_rate: '0.1' };
    const [one, other] = [await simulate(changes, numbered(99)), await simulate(changes, numbered(99))];
    expect(one.text).toBe(other.text);
  });

  test('stores nothing, starts nothing and leaves no file', async () => {
    const everything = async () => [
      await tableHashes(api.db),
      await api.storedFiles(),
      api.temporal.campaigns,
    ];
    const before = structuredClone(await everything());
    await forecast({
      campaign_webhook_url: 'https://example.com/hook',
      notification_emails: 'a@example.com',
    });
    expect(await everything()).toEqual(before);
  });

  test('starts at the given time, and waits for the window', async () => {
    const body = await forecast(
      { starts_at: '2026-11-03T20:00:00+05:30', assumed_answer_rate: '1', max_retries: '1' },
      numbered(1),
    );
    // Tuesday afternoon, after the window. The campaign doesn't dial on Wednesday and Thursday.
    expect(body.assumptions.starts_at).toBe('2026-11-03T14:30:00.000Z');
    expect(body.calls_per_hour).toEqual([{ from: '2026-11-06T04:00:00.000Z', calls: 1, answered: 1 }]);
  });

  test("lists the rows that can't be dialled before the last window closes", async () => {
    const body = await forecast(
      {
        to_date: '2026-11-02',
        start_time: '05:00',
        end_time: '05:05',
        concurrency: '1',
        assumed_answer_rate: '1',
        assumed_talk_seconds: '105',
      },
      numbered(105),
    );
    expect(body).toMatchObject({
      status: 'completed',
      finishes_at: '2026-11-02T05:06:00.000Z',
      total_calls: 3,
    });
    expect(body.contacts).toMatchObject({ completed: 3, expired: 102 });
    expect(body.expired).toEqual({
      total: 102,
      never_dialled: 102,
      rows: Array.from({ length: 100 }, (_, index) => index + 5),
    });
  });

  test('dials a repeated number once', async () => {
    const file = 'name,phone\nAsha,+919876543210\nRavi,9876543211\nAsha again,09876543210\n';
    const { contacts, total_calls } = await forecast({ assumed_answer_rate: '1' }, file);
    expect([total_calls, contacts.total, contacts.completed, contacts.duplicate]).toEqual([2, 3, 2, 1]);
  });

  test('excludes the assumed share of listed numbers only if the campaign checks the lists', async () => {
    const listed = { assumed_dnd_rate: '0.25', assumed_answer_rate: '1' };
    expect((await forecast({ ...listed, perform_dnd_check: 'true' }, numbered(8))).contacts).toMatchObject({
      completed: 6,
      dnd: 2,
    });
    const unchecked = await forecast(listed, numbered(8));
    expect([unchecked.contacts.dnd, unchecked.assumptions.assumed_dnd_rate]).toEqual([0, 0]);
  });

  test.each([
    ['the configured limit of a campaign', { spend_per_day: null }, 0.5],
    ["the organization's own limit of a campaign", { campaign_spend_per_day: 0.3 }, 0.3],
    ["the organization's lower limit of all campaigns", { spend_per_day: 0.2 }, 0.2],
    ['no spend limit if the organization has it off', { campaign_spend_per_day: 0 }, null],
  ])('applies %s', async (_which, limits, spendPerDay) => {
    const tripped = await openTestApi({
      settings: { creditsPerMinute: 0.1, spendPerDay: { perCampaign: 0.5, perOrganization: 0 } },
    });
    await tripped.db('organizations').where({ id: tripped.organization.id }).update(limits);
    const form = campaignForm(await newAgent(tripped), { assumed_answer_rate: '1', concurrency: '1' });
    const { body } = await tripped.ask('/api/campaigns/simulate', { body: withFile(form, numbered(8)) });
    await tripped.close();
    const spent = spendPerDay ?? 0.8;
    expect(body).toMatchObject({
      status: spendPerDay === null ? 'completed' : 'paused',
      cost: spent,
      assumptions: { spend_per_day: spendPerDay },
    });
    const instants = [body.finishes_at, body.paused_at];
    expect(instants.map((instant) => instant !== null)).toEqual([spendPerDay === null, spendPerDay !== null]);
    expect(body.contacts.completed + body.contacts.pending).toBe(8);
  });

  test("limits each conversation to the agent's maximum talk time", async () => {
    const { finishes_at: finishesAt } = await forecast(
      { assumed_answer_rate: '1', assumed_talk_seconds: '3600', assumed_ring_seconds: '0' },
      numbered(1),
    );
    expect(finishesAt).toBe(new Date(MONDAY + 10 * 60_000).toISOString());
  });

  test('accepts a workbook, and an agent by its name', async () => {
    expect((await simulate({ agent_id: 'collections' })).status).toBe(200);
  });
});

describe('a rejected dry run', () => {
  test.each<[string, Changes, string?]>([
    ['a broken rule', { concurrency: '11' }],
    ['a time outside the legal window', { start_time: '02:29' }],
    ['an unknown agent', { agent_id: 'nobody' }],
    ['a malformed webhook address', { campaign_webhook_url: 'ftp://x' }],
    ['malformed e-mail addresses', { notification_emails: 'nobody' }],
    ['six addresses', { notification_emails: 'a@x.io,b@x.io,c@x.io,d@x.io,e@x.io,f@x.io' }],
    ['a missing field', { campaign_name: null }],
    ['a file with a bad number', {}, 'name,phone_number\nAsha,12\n'],
    ['a file without contacts', {}, 'name,phone_number\n'],
    ['a file with too many contacts', {}, numbered(10_001)],
  ])('rejects %s as create does', async (_title, changes, file = CONTACTS) => {
    const [created, simulated] = [await ask('create', changes, file), await simulate(changes, file)];
    expect(created.status).toBeGreaterThanOrEqual(400);
    expect(simulated.status).toBe(created.status);
    const { request_id: _one, ...refusal } = simulated.body;
    const { request_id: _other, ...expected } = created.body;
    expect(refusal).toEqual({ ...expected, path: '/api/campaigns/simulate' });
  });

  test.each([
    ['assumed_answer_rate', '1.01', 'must be at most 1'],
    ['assumed_answer_rate', '-0.1', 'must be at least 0'],
    ['assumed_redial_answer_rate', '1e-', 'must be a number'],
    ['assumed_dnd_rate', '60%', 'must be a number'],
    ['assumed_talk_seconds', '3601', 'must be at most 3600'],
    ['assumed_ring_seconds', '121', 'must be at most 120'],
    ['starts_at', 'soon', 'must be a date or an ISO 8601 timestamp'],
  ])('rejects %s=%s and names the field', async (field, text, reason) => {
    const { status, body } = await simulate({ [field]: text });
    expect([status, body.code, body.details]).toEqual([422, 'VALIDATION_ERROR', [{ field, reason }]]);
  });

  test('reports faults in both halves of the form in one response', async () => {
    const { body } = await simulate({ concurrency: 'x', assumed_answer_rate: 'x' });
    expect(body.details.map(({ field }: any) => field)).toEqual(['concurrency', 'assumed_answer_rate']);
  });
});

test("returns 405 to PATCH instead of reading the path as a campaign's id", async () => {
  const { status, headers } = await api.ask('/api/campaigns/simulate', { method: 'PATCH' });
  expect([status, headers.get('Allow')]).toEqual([405, expect.stringContaining('POST')]);
});

test('serves other requests quickly during a dry run of ten thousand contacts', async () => {
  let isDone = false;
  const changes = {
    assumed_answer_rate: '0',
    max_retries: '3',
    retry_delay_mins: '1',
    to_date: '2027-12-31',
  };
  const running = simulate(changes, numbered(10_000)).then((answer) => {
    isDone = true;
    return answer;
  });
  let meanwhile = 0;
  while (!isDone) {
    await api.ask('/healthz', { as: null });
    if (!isDone) meanwhile += 1;
  }
  const { body } = await running;
  expect(body.total_calls).toBe(30_000);
  expect(body.contacts).toMatchObject({ total: 10_000, failed: 10_000 });
  expect(meanwhile).toBeGreaterThan(5);
});

describe('the forecast of a running campaign', () => {
  const HOUR_MS = 3_600_000;

  let api: TestApi;
  let agentId: string;

  beforeAll(async () => {
    api = await openTestApi();
    agentId = await newAgent(api);
  });
  afterAll(() => api.close());

  async function campaign(people: number, changes: Record<string, string> = {}): Promise<string> {
    const rows = Array.from({ length: people }, (_, n) => `Person ${n},98765${String(n).padStart(5, '0')}`);
    const file = `name,phone_number\n${rows.join('\n')}\n`;
    const body = withFile(
      campaignForm(agentId, { max_retries: '2', retry_delay_mins: '30', ...changes }),
      file,
    );
    const answer = await api.ask('/api/campaigns/create', { body });
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  const forecast = (id: string) => api.ask(`/api/campaigns/${id}/forecast`);
  const contacts = (id: string) => api.db('contacts').where({ campaign_id: id });

  test("returns the same as a simulation of the file if the campaign hasn't started", async () => {
    const id = await campaign(4, { perform_dnd_check: 'false' });
    const form = campaignForm(agentId, { max_retries: '2', retry_delay_mins: '30' });
    const file = `name,phone_number\n${[0, 1, 2, 3].map((n) => `Person ${n},987650000${n}`).join('\n')}\n`;
    const { body } = await api.ask('/api/campaigns/simulate', { body: withFile(form, file) });
    expect(await forecast(id)).toMatchObject({ status: 200, body });
  });

  test('counts only remaining contacts, and writes nothing', async () => {
    const id = await campaign(6);
    await contacts(id).where('row_number', '<=', 4).update({ state: 'completed' });
    const before = await tableHashes(api.db);
    const { body } = await forecast(id);
    expect(body.contacts.total).toBe(3);
    expect(body.status).toBe('completed');
    expect(await tableHashes(api.db)).toEqual(before);
  });

  test('schedules a redial no earlier than its due time, and counts past attempts', async () => {
    const id = await campaign(2);
    const due = new Date(api.clock.time + 2 * HOUR_MS);
    await contacts(id).update({ attempts: 1, next_attempt_at: due });
    const { body } = await forecast(id);
    expect(body.total_calls).toBe(2);
    expect(body.calls_per_hour.map(({ from }: any) => from)).toEqual([due.toISOString()]);
  });

  test('derives answer rate and talk time from finished calls', async () => {
    const id = await campaign(30);
    const at = (ms: number) => new Date(api.clock.time + ms);
    for (let n = 0; n < 20; n += 1) {
      const talk = n < 5 ? { answered_at: at(5_000), duration_ms: 90_000 } : {};
      await newCall(api, {
        agent_id: agentId,
        campaign_id: id,
        stage: 'over',
        call_status: n < 5 ? 'completed' : 'no answer',
        dialing_at: at(0),
        ended_at: at(100_000),
        concluded_at: at(100_000),
        ...talk,
      });
    }
    const { body } = await forecast(id);
    expect(body.assumptions).toMatchObject({
      assumed_answer_rate: 0.25,
      assumed_redial_answer_rate: 0.25,
      assumed_talk_seconds: 90,
    });
  });

  test('forecasts a paused campaign as if it continued, and rejects an ended one', async () => {
    const id = await campaign(2);
    await api.ask(`/api/campaigns/${id}/pause`, { method: 'POST' });
    expect((await forecast(id)).body.finishes_at).not.toBeNull();
    await api.ask(`/api/campaigns/${id}/cancel`, { method: 'POST' });
    expect((await forecast(id)).body.detail.code).toBe('CAMPAIGN_NOT_EDITABLE');
  });
});
