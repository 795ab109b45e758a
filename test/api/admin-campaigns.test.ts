import { fillZoneKeys } from '../../db/campaigns/zone-keys';
import { AdminConsole } from './support/admin-console';
import { randomUUID } from 'node:crypto';

let admin: AdminConsole;

beforeAll(async () => {
  admin = await AdminConsole.open();
});
afterEach(() => {
  admin.temporal.unreachable = false;
});
afterAll(() => admin.close());

const statusOf = async (id: string) => (await admin.db('campaigns').where({ id }).first()).status;
const signalsOf = (id: string) =>
  admin.temporal.signals.filter(({ campaignId }) => campaignId === id).map(({ signal }) => signal);

test('changes the row, signals the workflow, and writes a webhook and an audit entry for pause, resume and cancel', async () => {
  const { id, organizationId } = await admin.campaign();
  expect(await admin.json(`campaign pause ${id}`)).toEqual({
    id,
    campaign_name: 'Reminders',
    campaign_status: 'paused',
  });
  expect(await statusOf(id)).toBe('paused');
  expect((await admin.run(`campaign resume ${id}`)).out).toBe('Reminders is active.');
  expect((await admin.run(`campaign cancel ${id} --yes`)).out).toBe('Reminders is cancelled.');
  expect(await statusOf(id)).toBe('cancelled');
  expect(signalsOf(id)).toEqual(['pause', 'resume', 'cancel']);
  const deliveries = await admin.db('webhook_deliveries').where({ campaign_id: id });
  expect(deliveries).toHaveLength(3);
  expect(admin.temporal.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(
    expect.arrayContaining(deliveries.map((delivery: any) => delivery.id)),
  );
  const switches = (await admin.audit(organizationId)).slice(-3);
  expect(switches).toMatchObject(
    ['campaign.pause', 'campaign.resume', 'campaign.cancel'].map((action) => ({
      action,
      actor_kind: 'operator',
      subject_id: id,
    })),
  );
});

test('asks for confirmation before a cancel and shows how many contacts will no longer be called', async () => {
  const { id } = await admin.campaign('Diwali greetings');
  const { status } = await admin.run(`campaign cancel ${id}`, { answers: ['n'] });
  expect(status).toBe(1);
  expect(admin.questions[0]).toMatch(/^3 contacts of "Diwali greetings" will no longer be called/);
  expect([await statusOf(id), signalsOf(id)]).toEqual(['active', []]);
});

test('pauses a campaign while Temporal is unreachable, and warns the operator', async () => {
  const { id } = await admin.campaign();
  admin.temporal.unreachable = true;
  const { status, out, err } = await admin.run(`campaign pause ${id}`);
  expect([status, out]).toEqual([0, 'Reminders is paused.']);
  expect(err).toContain("Temporal isn't responding at TEMPORAL_ADDRESS");
  expect(await statusOf(id)).toBe('paused');
});

test('rejects a pause or resume with the same error as the API', async () => {
  const { id } = await admin.campaign();
  expect((await admin.run(`campaign resume ${id}`)).err).toBe(
    'The campaign is active. Only a paused campaign can be resumed',
  );
  await admin.run(`campaign cancel ${id} --yes`);
  for (const verb of ['pause', 'resume']) {
    const { status, err } = await admin.run(`campaign ${verb} ${id}`);
    expect([status, err]).toEqual([1, expect.stringContaining('is cancelled')]);
  }
  expect((await admin.run(`campaign cancel ${id}`)).status).toBe(0);
});

test.each(['7', '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11'])('reports that %s is not a campaign', async (id) => {
  for (const verb of ['show', 'pause', 'resume', 'cancel --yes']) {
    const { status, err } = await admin.run(`campaign ${verb} ${id}`);
    expect([status, err]).toEqual([1, 'There is no such campaign. See "campaign list"']);
  }
});

test('lists campaigns, optionally filtered by organization and status', async () => {
  const first = await admin.campaign('First');
  const second = await admin.campaign('Second');
  await admin.run(`campaign pause ${second.id}`);
  const ids = async (options: string) =>
    (await admin.json(`campaign list --limit 1000 ${options}`.trim())).map(({ id }: any) => id);
  expect(await ids('')).toEqual(expect.arrayContaining([first.id, second.id]));
  expect(await ids(`--org ${first.organizationId}`)).toEqual([first.id]);
  expect(await ids('--status paused')).toContain(second.id);
  expect(await ids('--status paused')).not.toContain(first.id);
  expect(await ids(`--org ${first.organizationId} --status paused`)).toEqual([]);
  expect((await admin.run(`campaign list --org ${first.organizationId} --status paused`)).out).toBe(
    'There are no campaigns.',
  );
});

describe('campaign show', () => {
  test('prints schedule, totals, the reason for the status and what the campaign does next', async () => {
    const { id } = await admin.campaign();
    const { out } = await admin.run(`campaign show ${id}`);
    expect(out).toMatch(/^schedule: +2026-11-02 to 2026-11-06, monday, 04:00-10:30 UTC$/m);
    expect(out).toMatch(/^next step: +dialling; the window closes 2026-11-02 10:30 UTC$/m);
    expect(out).toMatch(/^pending: +3$/m);
    await admin.run(`campaign pause ${id}`);
    const paused = await admin.json(`campaign show ${id}`);
    expect(paused).toMatchObject({ campaign_status: 'paused', next_step: 'paused: waiting for resume' });
  });

  test("prints the window's zone, the rule profile and how many contacts open next", async () => {
    const { id } = await admin.campaign();
    const rules = { window_timezone: 'contact', start_minute: 660, end_minute: 1200, rule_profile: 'none' };
    await admin.db('campaigns').where({ id }).update(rules);
    await fillZoneKeys(admin.db, id);
    const { out } = await admin.run(`campaign show ${id}`);
    expect(out).toMatch(/^schedule: .*, 11:00-20:00 in each contact's time zone$/m);
    expect(out).toMatch(/^rule profile: +none$/m);
    expect(out).toMatch(/^next step: +3 contacts in Asia\/Calcutta open at 2026-11-02 05:30 UTC$/m);
    expect(await admin.json(`campaign show ${id}`)).toMatchObject({
      window_timezone: 'contact',
      rule_profile: 'none',
      next_step: '3 contacts in Asia/Calcutta open at 2026-11-02 05:30 UTC',
    });
    await admin.db('campaigns').where({ id }).update({ window_timezone: 'Asia/Kolkata' });
    expect((await admin.run(`campaign show ${id}`)).out).toMatch(/, 11:00-20:00 Asia\/Kolkata$/m);
  });

  test('lists the live calls without their numbers', async () => {
    const { id } = await admin.campaign();
    await admin.db.raw(
      `insert into calls (call_id, organization_id, agent_id, agent_version, campaign_id, contact_id, attempt, call_type, direction, to_number,
         stage, call_status, accepted_at, granted_at)
       select 'call-of-show', organization_id, agent_id, 1, id, (select min(id) from contacts where campaign_id = campaigns.id), 1, 'c',
         'outbound', '+919876543210', 'placed', 'ringing', now(), now() from campaigns where id = ?`,
      [id],
    );
    const { out } = await admin.run(`campaign show ${id}`);
    expect(out).toMatch(/^call-of-show +ringing +1 /m);
    expect(out).not.toContain('98765');
    expect((await admin.json(`campaign show ${id}`)).calls).toHaveLength(1);
  });

  test('leaves the campaign unchanged, including an unacknowledged `refill_requested_at`', async () => {
    const { id } = await admin.campaign();
    await admin.run(`campaign pause ${id}`);
    const before = await admin.db('campaigns').where({ id }).first();
    expect(before.refill_requested_at).not.toBeNull();
    await admin.run(`campaign show ${id}`);
    expect(await admin.db('campaigns').where({ id }).first()).toEqual(before);
  });
});

describe('webhook deliveries', () => {
  const HOUR_MS = 3_600_000;
  let org: { id: string; name: string };

  beforeEach(async () => {
    org = await admin.org();
    admin.temporal.deliveries.length = 0;
    admin.temporal.unreachable = false;
  });

  async function delivery(status: string, hoursAgo = 0): Promise<string> {
    const id = randomUUID();
    await admin.db('webhook_deliveries').insert({
      id,
      event_id: randomUUID(),
      organization_id: org.id,
      event: 'campaign.completed',
      url: 'https://example.com/hook',
      body: '{}',
      status,
      created_at: new Date(admin.clock.now() - hoursAgo * HOUR_MS),
    });
    await admin.db('webhook_attempts').insert({
      delivery_id: id,
      attempt: 1,
      at: new Date(admin.clock.now()),
      status_code: status === 'failed' ? 500 : 200,
      duration_ms: 3,
      error: status === 'failed' ? 'status 500' : null,
    });
    return id;
  }

  test('lists the newest delivery first, with its outcome', async () => {
    const [old, recent] = [await delivery('failed', 5), await delivery('delivered', 1)];
    const listed = await admin.json(`webhook list --org ${org.id}`);
    expect(listed.map(({ id }: any) => id)).toEqual([recent, old]);
    const { out } = await admin.run(`webhook list --org ${org.id} --status failed --since 6h --until 2h`);
    expect(out).toContain(old);
    expect(out).toContain('status 500');
    expect(out).not.toContain(recent);
  });

  test('repeats failed deliveries, oldest first, and records the operator', async () => {
    const [second, first] = [await delivery('failed', 1), await delivery('failed', 5)];
    await delivery('delivered');
    expect(await admin.json(`webhook redeliver --org ${org.id} --limit 1 --as Olga`)).toEqual({
      redelivered: 1,
      skipped: 1,
    });
    expect(admin.temporal.deliveries).toEqual([{ deliveryId: first }]);
    const { out } = await admin.run(`webhook redeliver --org ${org.id}`);
    expect(out).toBe('Redelivering 1 webhook.');
    expect(admin.temporal.deliveries.at(-1)).toEqual({ deliveryId: second });
    const records = (await admin.audit(org.id)).filter(({ action }) => action === 'delivery.redeliver');
    expect(records.map(({ subject_id }) => subject_id)).toEqual([first, second]);
  });

  test('asks for confirmation before it repeats accepted deliveries', async () => {
    const id = await delivery('delivered');
    const refused = await admin.run(`webhook redeliver --org ${org.id} --status delivered`);
    expect(refused.status).toBe(1);
    expect(await admin.db('webhook_deliveries').where({ id, status: 'pending' })).toEqual([]);
    const answer = await admin.json(`webhook redeliver --org ${org.id} --status delivered --yes`);
    expect(answer.redelivered).toBe(1);
  });

  test('reports how many deliveries start later because Temporal is unreachable', async () => {
    await delivery('failed');
    admin.temporal.unreachable = true;
    expect(await admin.json(`webhook redeliver --org ${org.id}`)).toEqual({ redelivered: 1, skipped: 0 });
  });

  test.each(['--status pending', '--limit 1001', '--campaign nothing', '--since yesterday'])(
    'rejects redeliver %s and sends nothing',
    async (slip) => {
      await delivery('failed');
      const { status, out } = await admin.run(`webhook redeliver --org ${org.id} ${slip}`);
      expect([status, out, admin.temporal.deliveries]).toEqual([1, '', []]);
    },
  );
});
