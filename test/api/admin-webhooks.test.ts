import { randomUUID } from 'node:crypto';
import { AdminConsole } from './support/admin-console';

const HOUR_MS = 3_600_000;
let admin: AdminConsole;
let org: { id: string; name: string };

beforeAll(async () => {
  admin = await AdminConsole.open();
});
beforeEach(async () => {
  org = await admin.org();
  admin.temporal.deliveries.length = 0;
  admin.temporal.unreachable = false;
});
afterAll(() => admin.close());

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
