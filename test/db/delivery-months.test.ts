import { randomUUID } from 'node:crypto';
import { eraseTranscripts } from '../../db/organizations/erasing';
import { keptTotal } from '../../db/kernel/list-page';
import { keepPartitions } from '../../db/kernel/partitions';
import { rows } from '../../db/kernel/query';
import { timedId } from '../../db/kernel/timed-id';
import { callsConcludedBefore } from '../../db/reconciliation/suspect-workflows';
import { overdueDeliveries } from '../../db/reconciliation/overdue';
import { claimDelivery, recordAttempt, listDeliveries } from '../../db/webhooks/deliveries';
import { redeliver, redeliverMany } from '../../db/webhooks/redelivery';
import { describeWith } from '../servers/availability';
import { EngineDatabase, type Owner } from './support/engine-database';
import { partitionsIn, plansOf, rowsRead } from './support/plan-of';

const MONTHS = 36;
/** Far from the current month. */
const FIRST_YEAR = 2040;
const monthsLater = (months: number, day = 15): number => Date.UTC(FIRST_YEAR, months, day);
const WHOLE_MONTH = /Seq Scan on webhook_deliveries_204\w+/g;
const PAGE = { limit: 50, offset: 0 };
const actor = { kind: 'api_key', id: 'key-1', requestId: null } as const;

describeWith('postgres', 'webhooks by month', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeEach(async () => {
    engine = await EngineDatabase.open(2);
    owner = await engine.owner();
  });
  afterEach(() => engine.close());

  const row = (at: number, fields: object = {}) => ({
    id: timedId(at),
    event_id: randomUUID(),
    organization_id: owner.organizationId,
    event: 'call.completed',
    url: 'https://example.com/hook',
    body: '{"transcript":"said"}',
    status: 'delivered',
    created_at: new Date(at),
    ...fields,
  });
  async function deliver(at: number, fields: object = {}): Promise<string> {
    const made = row(at, fields);
    await engine.db('webhook_deliveries').insert(made);
    await recordAttempt(engine.db, attemptOf(made.id, made.status as 'delivered'));
    return made.id;
  }
  const attemptOf = (deliveryId: string, status: 'delivered' | 'pending' = 'delivered', attempt = 1) => ({
    deliveryId,
    attempt,
    at: engine.now,
    statusCode: 200,
    durationMs: 1,
    error: null,
    status,
    nextAttemptAt: null,
  });
  const keep = (now: number, keepFrom: number | null = null) =>
    keepPartitions(engine.db, 'webhook_deliveries', { now, keepFrom });
  const total = () => keptTotal(engine.db, owner.organizationId, 'webhook_deliveries');
  const listed = async () =>
    (await listDeliveries(engine.db, { organizationId: owner.organizationId }, PAGE)).items.map(
      ({ id, attempts }) => [id, attempts.length],
    );
  /** Returns the partitions of a delivery and its attempts. */
  const placesOf = async (id: string) =>
    (
      await rows<{ place: string }>(
        engine.db,
        `select tableoid::regclass::text as place from webhook_deliveries where id = :id
         union all select tableoid::regclass::text from webhook_attempts where delivery_id = :id`,
        { id },
      )
    ).map(({ place }) => place);
  const inMonth = (month: string) => [`webhook_deliveries_${month}`, `webhook_attempts_${month}`];

  test('stores webhooks in the partition of the current month after a migration', async () => {
    const month = new Date().toISOString().slice(0, 7).replace('-', '_');
    expect(await placesOf(await deliver(Date.now()))).toEqual(inMonth(month));
  });

  test('stores, lists and counts webhooks whose month has no partition, and moves them when it is created', async () => {
    const first = await deliver(monthsLater(0, 1));
    const last = await deliver(monthsLater(1, 1) - 1);
    const later = await deliver(monthsLater(5));
    expect(await placesOf(first)).toEqual(inMonth('other'));
    const before = await listed();
    await keep(monthsLater(0));
    expect(await Promise.all([first, last, later].map(placesOf))).toEqual([
      inMonth('2040_01'),
      inMonth('2040_01'),
      inMonth('other'),
    ]);
    await keep(monthsLater(24));
    expect(await placesOf(later)).toEqual(inMonth('2040_06'));
    expect([await listed(), await total()]).toEqual([before, 3]);
    await engine.db('webhook_deliveries').where({ id: first }).delete();
    expect(await total()).toBe(2);
  });

  test('drops a past month of webhooks with its attempts and total, unless a webhook is pending', async () => {
    const stranger = await engine.owner();
    const settled = await deliver(monthsLater(0));
    await deliver(monthsLater(0), { organization_id: stranger.organizationId });
    const pending = await deliver(monthsLater(1), { status: 'pending' });
    const beside = await deliver(monthsLater(1) + 1);
    const recent = await deliver(monthsLater(2));
    await keep(monthsLater(0));
    const present =
      (await total()) + (await keptTotal(engine.db, stranger.organizationId, 'webhook_deliveries'));
    expect(present).toBe(5);
    await keep(monthsLater(3), monthsLater(2, 28));
    expect(await listed()).toEqual([
      [recent, 1],
      [beside, 1],
      [pending, 1],
    ]);
    expect([
      await total(),
      await keptTotal(engine.db, stranger.organizationId, 'webhook_deliveries'),
    ]).toEqual([3, 0]);
    expect(await placesOf(settled)).toEqual([]);
    const again = { deliveryId: settled, organizationId: owner.organizationId, actor, now: engine.now };
    expect(await redeliver(engine.db, again)).toBe('unknown');
    expect((await claimDelivery(engine.db, { deliveryId: settled, now: 0, until: 0 })).kind).toBe('over');

    await recordAttempt(engine.db, attemptOf(pending, 'delivered', 2));
    expect(await keep(monthsLater(3), monthsLater(2, 28))).toBe(1);
    expect([await listed(), await total()]).toEqual([[[recent, 1]], 1]);
    expect(await keep(monthsLater(3))).toBe(0);
  });

  test('keeps all webhooks of a month while another transaction locks one', async () => {
    const id = await deliver(monthsLater(0));
    await keep(monthsLater(0));
    await engine.db.transaction(async (trx) => {
      await rows(trx, 'select 1 from webhook_deliveries where id = :id for no key update', { id });
      await expect(keep(monthsLater(3), monthsLater(3))).rejects.toThrow('lock timeout');
    });
    expect([await placesOf(id), await total()]).toEqual([inMonth('2040_01'), 1]);
    await keep(monthsLater(3), monthsLater(3));
    expect([await placesOf(id), await total()]).toEqual([[], 0]);
  });

  test('erases transcripts from webhooks of any month', async () => {
    const [made, missing] = ['outbound-1', 'outbound-2'];
    await deliver(monthsLater(0), { call_id: made });
    await keep(monthsLater(0));
    await deliver(monthsLater(20), { call_id: missing });
    await deliver(monthsLater(1), { call_id: 'outbound-3' });
    await eraseTranscripts(engine.db, [made, missing]);
    const bodies = await engine.db('webhook_deliveries').orderBy('call_id').pluck('body');
    expect(bodies.map((body) => JSON.parse(body).transcript)).toEqual(['', '', 'said']);
  });

  describe('webhooks of three years', () => {
    const last = (): string => `webhook_deliveries_${FIRST_YEAR + MONTHS / 12 - 1}_12`;
    let newest: string;
    beforeEach(async () => {
      for (let month = 0; month < MONTHS; month += 3) await keep(monthsLater(month));
      for (let month = 0; month < MONTHS; month++) {
        const made = Array.from({ length: 300 }, (_none, n) =>
          row(monthsLater(month, 1) + n * 3_600_000, {
            call_id: `call-${month}-${n}`,
            body: JSON.stringify({ transcript: 'As long as most. '.repeat(100) }),
            status: n % 50 === 0 ? 'failed' : 'delivered',
          }),
        );
        await engine.db('webhook_deliveries').insert(made);
        newest = made.at(-1)?.id ?? '';
      }
      await engine.db.raw('vacuum analyze webhook_deliveries');
    });
    const plans = (work: () => Promise<unknown>) => plansOf(engine.db, work);

    test('reads a webhook for an attempt only in the month of its id', async () => {
      await engine.db('webhook_deliveries').where({ id: newest }).update({ status: 'pending' });
      const { now } = engine;
      const made = await plans(async () => {
        await claimDelivery(engine.db, { deliveryId: newest, now, until: now + 10_000 });
        await recordAttempt(engine.db, attemptOf(newest, 'delivered', 1));
        await recordAttempt(engine.db, attemptOf(newest, 'delivered', 101));
        await redeliver(engine.db, { deliveryId: newest, organizationId: owner.organizationId, actor, now });
      });
      expect(made.length).toBeGreaterThanOrEqual(5);
      const deliveries = made.flatMap((plan) => partitionsIn(plan, 'webhook_deliveries'));
      const attempts = made.flatMap((plan) => partitionsIn(plan, 'webhook_attempts'));
      expect([...new Set(deliveries)]).toEqual([last()]);
      expect([...new Set(attempts)]).toEqual([last().replace('deliveries', 'attempts')]);
      expect(made.join('\n').match(WHOLE_MONTH)).toBeNull();
    });

    test("lists webhooks from a few rows of each month, and reads attempts only in the page's months", async () => {
      const filters = [{}, { status: 'failed' }, { from: '2042-06-01T00:00:00Z' }, { callId: 'call-7-3' }];
      for (const filter of filters) {
        const made = await plans(() =>
          listDeliveries(engine.db, { organizationId: owner.organizationId, ...filter }, PAGE),
        );
        const keys = made.find((plan) => plan.startsWith('Limit')) ?? '';
        expect(keys).toContain('Append');
        expect(keys.match(WHOLE_MONTH)).toBeNull();
        expect(rowsRead(keys, 'webhook_deliveries')).toBeLessThanOrEqual(50 + MONTHS + 4);
        const wide = made.filter((plan) => plan.includes('on webhook_attempts'));
        for (const plan of wide) expect(partitionsIn(plan, 'webhook_attempts').length).toBeLessThanOrEqual(4);
        expect(wide.length).toBeGreaterThan(0);
      }
    });

    test('finds overdue, redelivered and concluded webhooks by index in all months', async () => {
      const { now } = engine;
      const filter = { organizationId: owner.organizationId, status: 'failed' as const };
      const calls = ['call-3-50', 'call-30-50'];
      const made = await plans(async () => {
        await overdueDeliveries(engine.db, now);
        await redeliverMany(engine.db, { filter, limit: 20, actor, now });
        await callsConcludedBefore(engine.db, calls, now);
        await eraseTranscripts(engine.db, calls);
      });
      const read = made.filter((plan) => plan.includes('webhook_deliveries_2'));
      expect(read.length).toBeGreaterThanOrEqual(5);
      expect(read.flatMap((plan) => plan.match(WHOLE_MONTH) ?? [])).toEqual([]);
    });
  });
});
