import { organizationOfKey } from '../../db/organizations/api-keys';
import { AdminConsole } from './support/admin-console';

let admin: AdminConsole;

beforeAll(async () => {
  admin = await AdminConsole.open();
});
afterAll(() => admin.close());

test('creates an organization with an id and ten lines', async () => {
  const few = await admin.json('org create --name Few');
  const many = await admin.json('org create --name Many --max-concurrency 40');
  expect(few).toEqual({ id: expect.any(String), name: 'Few' });
  const lines = async (id: string) => (await admin.json(`org limits --org ${id}`)).max_concurrency;
  expect([await lines(few.id), await lines(many.id)]).toEqual([10, 40]);
});

test('prints readable text without --json', async () => {
  const { out } = await admin.run('org create --name Readable');
  expect(out).toMatch(/^Created Readable with at most 10 live calls\.\nId: [\da-f-]{36}$/);
});

test('finds an organization by a unique name, and warns when a new organization reuses a name', async () => {
  const first = await admin.json(['org', 'create', '--name', 'Twin City']);
  expect((await admin.json(['org', 'show', '--org', 'Twin City'])).id).toBe(first.id);
  const second = await admin.run(['org', 'create', '--name', ' Twin City ', '--json']);
  expect(second.json).toEqual({ id: expect.any(String), name: 'Twin City' });
  expect(second.err).toContain('Another organization has the same name');
  const { status, err } = await admin.run(['key', 'create', '--org', 'Twin City']);
  expect([status, err]).toEqual([1, '2 organizations have this name. Use the id from "org list"']);
});

test('changes only the given limits, removes an override with "default" and treats 0 as no limit', async () => {
  const { id } = await admin.org();
  const limits = async (options: string) => {
    const { max_concurrency, rate_limits } = await admin.json(`org limits --org ${id} ${options}`.trim());
    return [max_concurrency, rate_limits.dispatch_per_minute, rate_limits.other_per_minute];
  };
  expect(await limits('')).toEqual([10, null, null]);
  expect(await limits('--dispatch-per-minute 120')).toEqual([10, 120, null]);
  expect(await limits('--max-concurrency 3 --requests-per-minute 0')).toEqual([3, 120, 0]);
  expect(await limits('--dispatch-per-minute default')).toEqual([3, null, 0]);
  expect((await admin.run(`org limits --org ${id}`)).out.split('\n').slice(1)).toEqual([
    'max concurrency:            3',
    'lines for inbound calls:    2',
    'dispatches per minute:      default',
    'other requests per minute:  unlimited',
  ]);
});

test('records the names of changed columns but no values, and records no reads', async () => {
  const { id } = await admin.org();
  await admin.run(`org limits --org ${id}`);
  await admin.run(`org limits --org ${id} --max-concurrency 7 --requests-per-minute default`);
  await admin.run(['org', 'update', '--org', id, '--name', 'Renamed']);
  expect((await admin.audit(id)).map(({ action, fields }) => [action, fields])).toEqual([
    ['org.create', []],
    ['org.update', ['max_concurrency', 'other_per_minute']],
    ['org.update', ['name']],
  ]);
});

test('counts only valid keys and live calls of an organization, and lists every organization', async () => {
  const { id, organizationId } = await admin.campaign();
  await admin.json(`key create --org ${organizationId}`);
  const revoked = await admin.json(`key create --org ${organizationId}`);
  await admin.run(`key revoke ${revoked.id} --yes`);
  await admin.json(`secret create --org ${organizationId}`);
  await admin.run(`dnd add 9876543210 --org ${organizationId}`);
  await admin.db.raw(
    `insert into calls (call_id, organization_id, agent_id, agent_version, campaign_id, call_type, direction, stage, accepted_at)
     select 'call-' || s, organization_id, agent_id, 1, id, 'c', 'outbound', s, now() from campaigns, unnest(array['claimed', 'waiting', 'placed', 'over']) s where id = ?`,
    [id],
  );
  await admin.db('lines').insert({
    call_id: 'call-placed',
    organization_id: organizationId,
    campaign_id: id,
    taken_at: new Date(),
  });
  expect(await admin.json(`org show --org ${organizationId}`)).toMatchObject({
    ...{
      id: organizationId,
      valid_keys: 1,
      valid_signing_secrets: 1,
      agents: 1,
      campaigns: 1,
      open_campaigns: 1,
    },
    ...{ dnd_numbers: 1, live_calls: 1, waiting_calls: 2, max_concurrency: 10 },
  });
  const listed = await admin.json('org list');
  expect(listed.find((org: any) => org.id === organizationId)).toMatchObject({
    live_calls: 1,
    waiting_calls: 2,
  });
  const { out } = await admin.run('org list');
  expect(out.split('\n')).toHaveLength(listed.length + 1);
  expect(out.split('\n')[0]).toMatch(/^id +name +max concurrency +live calls +waiting +created$/);
});

test("applies an organization's limits to requests with its key", async () => {
  const { id, name } = await admin.org();
  const { id: keyId, key } = await admin.json(`key create --org ${id}`);
  await admin.run(`org limits --org ${id} --max-concurrency 4 --dispatch-per-minute 90`);
  expect(await organizationOfKey(admin.db, key, admin.clock.now())).toEqual({
    ...{ id, name, keyId, maxConcurrency: 4, callerLines: 3, spendPerDay: null },
    rateLimits: { dispatchPerMinute: 90, otherPerMinute: null },
    quotas: {},
    ...{ keyName: key.slice(0, 12), scopes: null, lastUsedAt: null },
  });
});

test('sets the number of lines for callers, and restores the default share with "default"', async () => {
  const { id } = await admin.org();
  const callerLines = async (options: string) =>
    (await admin.json(`org limits --org ${id} ${options}`)).caller_lines;
  expect(await callerLines('--max-concurrency 10')).toBe(8);
  expect(await callerLines('--caller-lines 0')).toBe(0);
  expect(await callerLines('--caller-lines 99')).toBe(10);
  expect(await callerLines('--caller-lines default')).toBe(8);
});

test('exempts callers and dispatches from the daily spend limit', async () => {
  const { id } = await admin.org();
  const exempt = async (names: string) =>
    (await admin.json(`org breakers --org ${id} --exempt ${names}`)).spend_exempt;
  expect(await exempt('dispatches,callers')).toEqual(['callers', 'dispatches']);
  expect(await exempt('none')).toEqual([]);
  const { status, err } = await admin.run(`org breakers --org ${id} --exempt campaigns`);
  expect(status).not.toBe(0);
  expect(err).toContain('must be callers, dispatches');
});

test('sets quotas by name, and restores the configured ones with "default"', async () => {
  const { id } = await admin.org();
  const quotas = async (options: string) => (await admin.json(`org limits --org ${id} ${options}`)).quotas;
  expect(await quotas('--quotas contacts=20,agents=0')).toEqual({ contacts: 20, agents: 0 });
  expect(await quotas('--quotas contacts=default')).toEqual({ agents: 0 });
  const { out } = await admin.run(`org show --org ${id}`);
  expect(out).toMatch(/stored contacts: +0, default quota\n/);
  expect(out).toMatch(/stored agents: +0, unlimited\n/);
  expect((await admin.json(`org show --org ${id}`)).kept).toMatchObject({ contacts: 0, agents: 0 });
  const last = (await admin.audit(id)).at(-1);
  expect(last?.fields).toEqual(['quotas.contacts']);
  for (const wrong of ['contacts', 'calls=3', 'contacts=-1', 'contacts=x'])
    expect((await admin.run(`org limits --org ${id} --quotas ${wrong}`)).status).toBe(1);
});

describe("an organization's rule profile", () => {
  const rules = (id: string, options = '') => admin.json(`org rules --org ${id} ${options}`.trim());

  test('is set, shown, removed with "default" and recorded', async () => {
    const { id, name } = await admin.org();
    expect(await rules(id)).toEqual({ id, name, rule_profile: null });
    expect(await rules(id, '--profile us-tcpa')).toEqual({ id, name, rule_profile: 'us-tcpa' });
    expect((await admin.run(`org rules --org ${id}`)).out).toMatch(/rule profile:\s+us-tcpa/);
    expect((await rules(id, '--profile default')).rule_profile).toBeNull();
    const entries = await admin.db('audit_log').where({ organization_id: id, action: 'org.update' });
    expect(entries.map(({ fields }: { fields: string[] }) => fields)).toEqual([
      ['rule_profile'],
      ['rule_profile'],
    ]);
  });

  test('must be known', async () => {
    const { id } = await admin.org();
    const { status, err } = await admin.run(`org rules --org ${id} --profile unknown`);
    expect([status, err]).toEqual([1, expect.stringContaining('--profile must be a shipped rule profile')]);
  });
});

describe("an organization's retention", () => {
  let org: { id: string; name: string };

  beforeEach(async () => {
    org = await admin.org();
  });

  const retention = (options = '') => admin.json(`org retention --org ${org.id} ${options}`.trim());

  test('keeps everything forever by default', async () => {
    expect(await retention()).toEqual({
      ...org,
      recordings_days: null,
      transcripts_days: null,
      contacts_days: null,
    });
    expect((await admin.run(`org retention --org ${org.id}`)).out).toContain('forever');
  });

  test('sets one retention period and keeps the others', async () => {
    await retention('--recordings-days 30 --transcripts-days 90');
    expect(await retention('--contacts-days 365')).toMatchObject({
      recordings_days: 30,
      transcripts_days: 90,
      contacts_days: 365,
    });
    expect((await admin.run(`org retention --org ${org.id}`)).out).toMatch(/recordings:\s+30 days/);
  });

  test.each(['0', 'none'])('keeps data forever with %s', async (days) => {
    await retention('--recordings-days 30 --transcripts-days 90');
    expect(await retention(`--recordings-days ${days}`)).toMatchObject({
      recordings_days: null,
      transcripts_days: 90,
    });
  });

  test('records changed columns, but no reads', async () => {
    await retention();
    await retention('--transcripts-days 90');
    const records = (await admin.audit(org.id)).filter(({ action }) => action === 'org.update');
    expect(records).toMatchObject([{ fields: ['transcripts_days'], subject_id: org.id }]);
  });

  test.each(['-1', '1.5', 'soon', '36526'])('rejects %s days', async (days) => {
    const { status, err } = await admin.run(['org', 'retention', '--org', org.id, `--contacts-days=${days}`]);
    expect(status).toBe(1);
    expect(err).toContain('--contacts-days must be an integer between 0 and 36525, or "none"');
  });
});

describe('a confirmed address', () => {
  test('confirms, lists and removes an address without naming it in the audit log', async () => {
    const { id } = await admin.org();
    const command = (verb: string) => admin.json(`mail ${verb} --org ${id} --address Asha@Example.com`);
    expect(await command('confirm')).toEqual({ changed: true });
    expect(await command('confirm')).toEqual({ changed: false });
    expect(await admin.json(`mail list --org ${id}`)).toEqual([
      { address: 'asha@example.com', requested_at: null, confirmed_at: expect.any(String) },
    ]);
    expect(await command('remove')).toEqual({ changed: true });
    expect(await command('remove')).toEqual({ changed: false });
    expect(await admin.json(`mail list --org ${id}`)).toEqual([]);
    const audit = await admin.audit(id);
    expect(audit.map(({ action }) => action)).toEqual(['org.create', 'mail.confirm', 'mail.remove']);
    expect(JSON.stringify(audit).toLowerCase()).not.toContain('asha');
  });

  test.each(['asha', 'a@b.test,c@d.test', 'A <a@b.test>'])(
    'rejects %j, which is not a single address',
    async (address) => {
      const { id } = await admin.org();
      const { status, err } = await admin.run(['mail', 'confirm', '--org', id, '--address', address]);
      expect([status, err]).toEqual([1, expect.stringContaining('--address must be one e-mail address')]);
    },
  );
});

describe('the audit log', () => {
  const HOUR_MS = 3_600_000;
  let org: { id: string; name: string };

  beforeAll(async () => {
    await admin.db('audit_log').delete();
    org = await admin.org();
    admin.clock.time += 24 * HOUR_MS;
    await admin.run(`org limits --org ${org.id} --max-concurrency 5`);
    const { id } = await admin.json(`key create --org ${org.id}`);
    await admin.run(`key revoke ${id} --yes`);
    await admin.org();
  });

  const actions = async (options: string) =>
    (await admin.json(`audit list ${options}`.trim())).map(({ action }: any) => action);

  test('lists the newest audit entry first', async () => {
    expect(await actions(`--org ${org.id}`)).toEqual([
      'key.revoke',
      'key.create',
      'org.update',
      'org.create',
    ]);
  });

  test('filters entries by organization, subject and time, and limits their number', async () => {
    const all = await actions('');
    expect(all).toHaveLength(5);
    const [key] = await admin.json(`key list --org ${org.id}`);
    expect(await actions(`--subject ${key.id}`)).toEqual(['key.revoke', 'key.create']);
    expect(await actions(`--org ${org.id} --since 1h`)).toEqual(['key.revoke', 'key.create', 'org.update']);
    expect(await actions(`--org ${org.id} --since 2026-11-01 --limit 2`)).toEqual([
      'key.revoke',
      'key.create',
    ]);
    expect(await actions('--subject nothing')).toEqual([]);
  });

  test('shows time, actor, action and subject in each line', async () => {
    const { out } = await admin.run(`audit list --subject ${org.id} --limit 1`);
    const [head = '', row = ''] = out.split('\n');
    expect(head.split(/ {2,}/)).toEqual([
      'at',
      'who',
      'action',
      'subject',
      'fields',
      'organization',
      'address',
      'request',
    ]);
    expect(row.split(/ {2,}/)).toEqual([
      ...[
        new Date(admin.clock.now()).toISOString(),
        expect.stringMatching(/^operator ./),
        'org.update',
        org.id,
      ],
      ...['max_concurrency', org.name, '-', '-'],
    ]);
  });

  test('shows the name of a key beside its id, or its first characters if it has no name', async () => {
    const { id } = await admin.json(['key', 'create', '--org', org.id, '--name', 'night reports']);
    const nameless = await admin.json(`key create --org ${org.id}`);
    const change = {
      organization_id: org.id,
      at: new Date(admin.clock.now()),
      actor_kind: 'api_key',
      action: 'agent.update',
    };
    await admin.db('audit_log').insert([
      { ...change, actor_id: id, subject_id: 'agent-2' },
      { ...change, actor_id: nameless.id, subject_id: 'agent-3' },
    ]);
    const { out } = await admin.run('audit list --subject agent-2');
    expect(out.split('\n')[1]).toContain(`api_key ${id} (night reports)`);
    const [record] = await admin.json('audit list --subject agent-3');
    expect(record.actor).toEqual({ kind: 'api_key', id: nameless.id, name: nameless.key.slice(0, 12) });
  });

  test('shows the entries of a deleted organization', async () => {
    await admin.db('audit_log').insert({
      ...{
        at: new Date(admin.clock.now()),
        organization_id: '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11',
        actor_kind: 'api_key',
      },
      ...{ actor_id: 'key-1', request_id: 'request-1', action: 'agent.update', subject_id: 'agent-1' },
    });
    const { out } = await admin.run('audit list --subject agent-1');
    expect(out.split('\n')[1]).toMatch(
      /api_key key-1 +agent\.update +agent-1 +- +0d1f7c1e-\S+ +- +request-1$/,
    );
  });
});
