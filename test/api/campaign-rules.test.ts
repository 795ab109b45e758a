/** Tests the fields `window_timezone` and `rule_profile` of campaigns. */
import { campaignForm, newAgent, newCampaign, withFile } from './support/rows';
import { MONDAY, openTestApi, type Answer, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
  await api.ask('/api/rule-profiles/ours', { method: 'PUT', json: { hours: {} } });
});
afterAll(() => api.close());
beforeEach(() => {
  api.clock.time = MONDAY;
});

const LOCAL = { start_time: '08:00', end_time: '21:00' };

const send = (path: string, changes: Record<string, string>): Promise<Answer> =>
  api.ask(`/api/campaigns/${path}`, { body: withFile(campaignForm(agentId, changes)) });
const create = (changes: Record<string, string>) => send('create', changes);
const detailsOf = async (id: string): Promise<unknown[]> => {
  const { body } = await api.ask(`/api/campaigns/${id}`);
  return [body.window_timezone, body.rule_profile];
};
const update = (id: string, json: object) => api.ask(`/api/campaigns/${id}`, { method: 'PUT', json });

describe('the fields of a campaign', () => {
  test('are utc and none by default, and shown only in the details then', async () => {
    const { body } = await create({});
    const listed = async () =>
      (await api.ask('/api/campaigns/')).body.campaigns.find(({ id }: { id: string }) => id === body.id);
    const renamed = (await update(body.id, { campaign_name: 'Renamed' })).body;
    for (const shown of [body, await listed(), renamed]) {
      expect(shown).not.toHaveProperty('window_timezone');
      expect(shown).not.toHaveProperty('rule_profile');
    }
    expect(await detailsOf(body.id)).toEqual(['utc', null]);
    expect(await api.db('campaigns').where({ id: body.id }).first()).toMatchObject({
      window_timezone: null,
      rule_profile: null,
    });
    await update(body.id, { window_timezone: 'Asia/Kolkata', rule_profile: 'ours', ...LOCAL });
    expect(await listed()).toMatchObject({ window_timezone: 'Asia/Kolkata', rule_profile: 'ours' });
  });

  test.each([
    ['utc', 'utc', {}],
    ['UTC', 'utc', {}],
    ['', 'utc', {}],
    ['contact', 'contact', LOCAL],
    ['America/Denver', 'America/Denver', LOCAL],
  ])('accept the zone %p as %s', async (given, shown, times) => {
    const { status, body } = await create({ window_timezone: given, ...times });
    expect([status, body.window_timezone ?? 'utc']).toEqual([201, shown]);
    expect((await detailsOf(body.id))[0]).toBe(shown);
  });

  test.each(['local', '+05:30', 'BST', 'Mars/Olympus', 'x'.repeat(65)])(
    'reject the zone %s',
    async (zone) => {
      const { status, body } = await create({ window_timezone: zone });
      expect([status, body.code, body.details[0].field]).toEqual([
        422,
        'VALIDATION_ERROR',
        'window_timezone',
      ]);
    },
  );

  test.each([
    ['us-tcpa', 'us-tcpa'],
    ['ours', 'ours'],
    ['', null],
  ])('accept the profile %p', async (given, shown) => {
    const { status, body } = await create({ rule_profile: given });
    expect([status, body.rule_profile ?? null]).toEqual([201, shown]);
    expect((await detailsOf(body.id))[1]).toBe(shown);
  });

  test.each(['unknown', 'No Such', 'x'.repeat(65)])('reject the profile %s', async (rule_profile) => {
    for (const path of ['create', 'simulate']) {
      const { status, body } = await send(path, { rule_profile });
      expect([status, body.code, body.details[0].field]).toEqual([422, 'VALIDATION_ERROR', 'rule_profile']);
    }
  });

  test('are accepted by a dry run', async () => {
    const fields = { window_timezone: 'Asia/Kolkata', rule_profile: 'ours', ...LOCAL };
    expect((await send('simulate', fields)).status).toBe(200);
  });

  test('are changed by an update, which pauses the campaign, and cleared by blanks', async () => {
    const id = await newCampaign(api);
    const changed = await update(id, { window_timezone: 'contact', rule_profile: 'ours', ...LOCAL });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { campaign_status: 'paused', window_timezone: 'contact', rule_profile: 'ours' },
    ]);
    const audited = (await api.ask(`/api/audit?subject_id=${id}`)).body.data[0];
    expect(audited.fields).toEqual(expect.arrayContaining(['window_timezone', 'rule_profile']));
    const kept = await update(id, { campaign_name: 'Kept' });
    expect(kept.body).toMatchObject({ window_timezone: 'contact', rule_profile: 'ours' });
    const cleared = await update(id, {
      window_timezone: null,
      rule_profile: '',
      start_time: '04:00',
      end_time: '10:30',
    });
    expect(cleared.status).toBe(200);
    expect(await detailsOf(id)).toEqual(['utc', null]);
  });

  test('reject an update with an unknown profile or zone without pausing the campaign', async () => {
    const id = await newCampaign(api);
    for (const edit of [{ rule_profile: 'unknown' }, { window_timezone: 'local' }, { rule_profile: 5 }]) {
      const { status, body } = await update(id, edit);
      expect([status, body.detail[0].loc]).toEqual([422, ['body', ...Object.keys(edit)]]);
    }
    expect((await api.ask(`/api/campaigns/${id}`)).body.campaign_status).toBe('active');
  });
});

describe('the window of a campaign in local time', () => {
  const codeOf = ({ status, body }: Answer) => [status, body.code ?? body.detail?.code];
  const REFUSED = [400, 'INVALID_TIME_WINDOW'];

  test('must lie within the local limit and not within that in UTC', async () => {
    expect((await create({ window_timezone: 'contact', ...LOCAL })).status).toBe(201);
    const early = await create({ window_timezone: 'contact', start_time: '07:59', end_time: '21:00' });
    expect([codeOf(early), early.body.message]).toEqual([
      REFUSED,
      '`start_time` and `end_time` must be within 08:00-21:00 in `window_timezone`',
    ]);
    expect(
      codeOf(await create({ window_timezone: 'contact', start_time: '00:00', end_time: '24:00' })),
    ).toEqual(REFUSED);
    expect(codeOf(await create({ ...LOCAL }))).toEqual(REFUSED);
  });

  test.each(['10:00', '09:00'])('must not end at %s if it starts at ten', async (end_time) => {
    const answer = await create({ window_timezone: 'Asia/Kolkata', start_time: '10:00', end_time });
    expect([codeOf(answer), answer.body.message]).toEqual([REFUSED, '`end_time` must be after `start_time`']);
  });

  test('is checked when only the zone is changed', async () => {
    const id = await newCampaign(api, { window_timezone: 'contact', ...LOCAL });
    expect(codeOf(await update(id, { window_timezone: 'utc' }))).toEqual(REFUSED);
  });

  test('can last the whole day if the operator allows it', async () => {
    const open = await openTestApi({ settings: { legalWindowLocal: { startMinute: 0, endMinute: 1_440 } } });
    const agent_id = await newAgent(open);
    const form = campaignForm(agent_id, {
      window_timezone: 'contact',
      start_time: '00:00',
      end_time: '24:00',
    });
    const { status, body } = await open.ask('/api/campaigns/create', { body: withFile(form) });
    expect([status, body.time_range_from, body.time_range_to]).toEqual([201, '00:00:00Z', '24:00:00Z']);
    await open.close();
  });

  test.each([
    ['utc', '2026-11-01', 400],
    ['contact', '2026-11-01', 201],
    ['contact', '2026-10-31', 400],
    ['America/Denver', '2026-11-01', 201],
    ['Asia/Kolkata', '2026-11-01', 400],
  ])('ends with a date of its own zone: %s, %s', async (window_timezone, to_date, status) => {
    // It is 2 November, 05:00 in UTC.
    const times = window_timezone === 'utc' ? {} : LOCAL;
    const answer = await create({ window_timezone, to_date, from_date: '2026-10-01', ...times });
    expect([answer.status, answer.body.code]).toEqual([
      status,
      status === 400 ? 'INVALID_DATE_RANGE' : undefined,
    ]);
  });
});
