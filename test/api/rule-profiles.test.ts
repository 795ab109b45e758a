import { SHIPPED_PROFILES } from '../../domain/rules/profile';
import { newCampaign } from './support/rows';
import { MONDAY, openTestApi, type Answer, type Asked, type TestApi } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi({ settings: { ruleProfile: 'us-tcpa' } });
});
afterAll(() => api.close());
beforeEach(() => {
  api.clock.time = MONDAY;
});

const PATH = '/api/rule-profiles';
const put = (name: string, json: unknown, asked: Asked = {}): Promise<Answer> =>
  api.ask(`${PATH}/${name}`, { method: 'PUT', json, ...asked });
const remove = (name: string, asked: Asked = {}): Promise<Answer> =>
  api.ask(`${PATH}/${name}`, { method: 'DELETE', ...asked });
const codeOf = ({ status, body }: Answer): unknown[] => [status, body.detail.code];
const names = (answer: Answer): string[] => answer.body.data.map(({ name }: { name: string }) => name);

async function audited(subject: string): Promise<unknown[]> {
  const { body } = await api.ask(`/api/audit?subject_id=${subject}`);
  return body.data.map(({ action, subject_id, fields, actor }: any) => [
    action,
    subject_id,
    fields,
    actor.kind,
  ]);
}

const HOURS = { monday: [['09:00', '20:00']] };
const DEFAULTS = {
  holiday_dates: [],
  ambiguous_zone: 'strictest',
  max_per_day: null,
  max_per_7_days: null,
  min_gap_minutes: 0,
  consent: 'none',
  disclosure: null,
  caller_id_prefixes: null,
};

describe('PUT /api/rule-profiles/{name}', () => {
  test('lets reconciliation check the open campaigns of the organization', async () => {
    const id = await newCampaign(api);
    const later = new Date(MONDAY + 600_000);
    const postpone = () => api.db('campaigns').where({ id }).update({ check_at: later });
    const checkAt = async () => (await api.db('campaigns').where({ id }).first()).check_at;
    await postpone();
    await put('looser', { hours: HOURS });
    expect(await checkAt()).toEqual(new Date(MONDAY));
    await postpone();
    await api.ask('/api/rules/organization-profile', { method: 'PUT', json: { rule_profile: 'looser' } });
    expect(await checkAt()).toEqual(new Date(MONDAY));
    await api.ask('/api/rules/organization-profile', { method: 'PUT', json: { rule_profile: null } });
    expect((await remove('looser')).status).toBe(200);
  });

  test('creates a profile with defaults, replaces it, and records both', async () => {
    const created = await put('mornings', { hours: HOURS, max_per_day: 2 });
    const at = new Date(MONDAY).toISOString();
    expect([created.status, created.body]).toEqual([
      200,
      {
        name: 'mornings',
        shipped: false,
        title: null,
        profile: { hours: HOURS, ...DEFAULTS, max_per_day: 2 },
        sources: null,
        created_at: at,
        updated_at: at,
      },
    ]);
    api.clock.time += 1_000;
    const replaced = await put('mornings', { hours: HOURS, max_per_day: 3, consent: 'required' });
    expect(replaced.body).toMatchObject({
      profile: { max_per_day: 3, consent: 'required' },
      created_at: at,
      updated_at: new Date(MONDAY + 1_000).toISOString(),
    });
    expect((await api.ask(`${PATH}/mornings`)).body).toEqual(replaced.body);
    expect(await audited('mornings')).toEqual([
      ['rule_profile.update', 'mornings', expect.arrayContaining(['max_per_day', 'consent']), 'api_key'],
      ['rule_profile.create', 'mornings', [], 'api_key'],
    ]);
  });

  test.each(['UPPER', 'with_underscore', 'x'.repeat(65), 'a%20b'])(
    'returns 422 for the name %s',
    async (name) => {
      const { status, body } = await put(name, { hours: HOURS });
      expect([status, body.detail[0].loc]).toEqual([422, ['path', 'name']]);
    },
  );

  test.each([
    [{}, 'hours'],
    [{ hours: HOURS, max_per_week: 3 }, 'max_per_week'],
    [{ hours: { monday: [['20:00', '09:00']] } }, 'hours.monday.0'],
    [{ hours: HOURS, caller_id_prefixes: ['abc'] }, 'caller_id_prefixes.0'],
    [{ hours: HOURS, min_gap_minutes: 30 * 24 * 60 + 1 }, 'min_gap_minutes'],
  ])('returns 422 and names the bad field of a profile: %#', async (json, field) => {
    const { status, body } = await put('bad', json);
    expect([status, body.detail[0].loc.slice(1).join('.')]).toEqual([422, field]);
    expect(codeOf(await api.ask(`${PATH}/bad`))).toEqual([404, 'RULE_PROFILE_NOT_FOUND']);
  });

  test('stores a profile with two thousand holidays', async () => {
    const day = (n: number) => new Date(MONDAY + n * 86_400_000).toISOString().slice(0, 10);
    const holiday_dates = Array.from({ length: 2_000 }, (_none, n) => day(n));
    const { status, body } = await put('holidays', { hours: HOURS, holiday_dates });
    expect([status, body.profile.holiday_dates.length]).toEqual([200, 2_000]);
    await remove('holidays');
  });

  test.each(SHIPPED_PROFILES)('returns 409 for the name of the shipped profile %s', async (name) => {
    expect(codeOf(await put(name, { hours: HOURS }))).toEqual([409, 'RULE_PROFILE_RESERVED']);
    expect(codeOf(await remove(name))).toEqual([409, 'RULE_PROFILE_RESERVED']);
  });
});

describe('GET /api/rule-profiles', () => {
  test('lists the shipped profiles with their sources, then those of the organization', async () => {
    const as = await api.newOrganization();
    await put('zeta', { hours: HOURS }, { as });
    await put('alpha', { hours: HOURS }, { as });
    const answer = await api.ask(PATH, { as });
    expect(names(answer)).toEqual([...SHIPPED_PROFILES, 'alpha', 'zeta']);
    const [tcpa] = answer.body.data;
    expect(tcpa).toMatchObject({
      shipped: true,
      title: expect.stringContaining('Telephone Consumer Protection Act'),
      created_at: null,
      profile: { hours: { sunday: [['08:00', '21:00']] }, consent: 'required' },
    });
    expect(Object.keys(tcpa.sources).sort()).toEqual(Object.keys(tcpa.profile).sort());
    expect(tcpa.sources.consent).toEqual({
      source: expect.stringMatching(/^https:/),
      verified: false,
      note: expect.any(String),
    });
    expect((await api.ask(`${PATH}/us-tcpa`, { as })).body).toEqual(tcpa);
  });
});

describe('DELETE /api/rule-profiles/{name}', () => {
  test('deletes a profile and records it', async () => {
    await put('short-lived', { hours: HOURS });
    expect((await remove('short-lived')).body).toEqual({ success: true });
    expect((await audited('short-lived'))[0]).toEqual(['rule_profile.delete', 'short-lived', [], 'api_key']);
    expect(codeOf(await remove('short-lived'))).toEqual([404, 'RULE_PROFILE_NOT_FOUND']);
  });

  test('returns 409 while an open campaign uses the profile', async () => {
    await put('used', { hours: HOURS });
    const id = await newCampaign(api, { rule_profile: 'used' });
    expect(codeOf(await remove('used'))).toEqual([409, 'RULE_PROFILE_IN_USE']);
    await api
      .db('campaigns')
      .where({ id })
      .update({ status: 'completed', ended_at: new Date(MONDAY) });
    expect((await remove('used')).status).toBe(200);
    // A campaign that has ended still shows the name.
    expect((await api.ask(`/api/campaigns/${id}`)).body.rule_profile).toBe('used');
  });
});

describe('the profile of an organization', () => {
  const OWN = '/api/rules/organization-profile';
  const set = (rule_profile: unknown, asked: Asked = {}) =>
    api.ask(OWN, { method: 'PUT', json: { rule_profile }, ...asked });

  test('is set, shown beside that of the operator, recorded and removed', async () => {
    expect((await api.ask(OWN)).body).toEqual({ rule_profile: null, operator_rule_profile: 'us-tcpa' });
    await put('ours', { hours: HOURS });
    const { status, body } = await set('ours');
    expect([status, body]).toEqual([200, { rule_profile: 'ours', operator_rule_profile: 'us-tcpa' }]);
    expect((await api.ask(OWN)).body).toEqual(body);
    expect((await audited(api.organization.id))[0]).toEqual([
      'org.update',
      api.organization.id,
      ['rule_profile'],
      'api_key',
    ]);
    expect(codeOf(await remove('ours'))).toEqual([409, 'RULE_PROFILE_IN_USE']);
    expect((await set(null)).body.rule_profile).toBeNull();
    expect((await remove('ours')).status).toBe(200);
    expect((await set('none')).body.rule_profile).toBe('none');
    await set(null);
  });

  test.each(['unknown', 'US TCPA', 5, undefined])('returns 422 for %p and changes nothing', async (given) => {
    const { status, body } = await set(given);
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'rule_profile']]);
    expect((await api.ask(OWN)).body.rule_profile).toBeNull();
  });
});

describe('a profile of another organization', () => {
  beforeAll(() => put('theirs', { hours: HOURS, max_per_day: 9 }, { as: api.stranger }));

  test('is neither listed, returned nor deleted', async () => {
    expect(names(await api.ask(PATH))).not.toContain('theirs');
    expect(codeOf(await api.ask(`${PATH}/theirs`))).toEqual([404, 'RULE_PROFILE_NOT_FOUND']);
    expect(codeOf(await remove('theirs'))).toEqual([404, 'RULE_PROFILE_NOT_FOUND']);
    expect((await api.ask(`${PATH}/theirs`, { as: api.stranger })).status).toBe(200);
  });

  test('is unknown to campaigns, decisions and the profile of the organization', async () => {
    const [decided, set] = [
      await api.ask('/api/rules/decide', { json: { profile: 'theirs', questions: [] } }),
      await api.ask('/api/rules/organization-profile', { method: 'PUT', json: { rule_profile: 'theirs' } }),
    ];
    expect([decided.status, set.status]).toEqual([422, 422]);
    await expect(newCampaign(api, { rule_profile: 'theirs' })).rejects.toThrow(
      /VALIDATION_ERROR[^]*rule_profile/,
    );
    const id = await newCampaign(api);
    const updated = await api.ask(`/api/campaigns/${id}`, {
      method: 'PUT',
      json: { rule_profile: 'theirs' },
    });
    expect(updated.status).toBe(422);
    expect((await api.ask(`/api/campaigns/${id}`)).body).toMatchObject({
      campaign_status: 'active',
      rule_profile: null,
    });
  });

  test('stays unchanged if this organization stores one with the same name, and is deletable while ours is used', async () => {
    await put('theirs', { hours: HOURS, max_per_day: 1 });
    await newCampaign(api, { rule_profile: 'theirs' });
    const { body } = await api.ask(`${PATH}/theirs`, { as: api.stranger });
    expect(body.profile.max_per_day).toBe(9);
    expect((await remove('theirs', { as: api.stranger })).status).toBe(200);
    expect((await api.ask(`${PATH}/theirs`)).body.profile.max_per_day).toBe(1);
  });
});

test('decides by a profile of the organization', async () => {
  await put('two-a-day', { hours: HOURS, max_per_day: 2 });
  const at = '2026-11-30T10:00:00+05:30';
  const { status, body } = await api.ask('/api/rules/decide', {
    json: { profile: 'two-a-day', questions: [{ to_number: '+919876543210', at, attempts: [at, at] }] },
  });
  expect([status, body.answers[0].refused_by]).toEqual([200, ['max_per_day']]);
});

test('never lets a campaign name a profile that is deleted at the same time', async () => {
  for (let n = 0; n < 10; n += 1) {
    const name = `contended-${n}`;
    await put(name, { hours: HOURS });
    const [campaign, deletion] = await Promise.all([
      newCampaign(api, { rule_profile: name }).then(
        (id) => id,
        () => null,
      ),
      remove(name),
    ]);
    expect([name, campaign === null, deletion.status]).toEqual([
      name,
      deletion.status === 200,
      deletion.status,
    ]);
  }
});
