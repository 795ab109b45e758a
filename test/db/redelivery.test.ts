import { randomUUID } from 'node:crypto';
import { claimDelivery, loadDelivery, recordAttempt } from '../../db/webhooks/deliveries';
import { redeliver, redeliverMany, type ManyRedeliveries } from '../../db/webhooks/redelivery';
import { overdueDeliveries } from '../../db/reconciliation/overdue';
import { describeWith } from '../servers/availability';
import { EngineDatabase } from './support/engine-database';

const actor = { kind: 'api_key', id: 'key-1', requestId: null } as const;

describeWith('postgres', 'redeliver()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  async function delivery(status: string, attempts: number) {
    const { organizationId } = await engine.owner();
    const [id, eventId] = [randomUUID(), randomUUID()];
    const now = new Date(engine.now);
    await engine.db('webhook_deliveries').insert({
      id,
      event_id: eventId,
      organization_id: organizationId,
      event: 'campaign.completed',
      url: 'https://example.com/hook',
      body: '{}',
      status: 'pending',
      created_at: now,
    });
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await recordAttempt(engine.db, {
        deliveryId: id,
        attempt,
        at: engine.now,
        statusCode: 500,
        durationMs: 1,
        error: 'status 500',
        status: attempt === attempts ? (status as 'failed') : 'pending',
        nextAttemptAt: null,
      });
    }
    return { id, eventId, organizationId };
  }

  const again = (deliveryId: string, organizationId: string) =>
    redeliver(engine.db, { deliveryId, organizationId, actor, now: engine.now });
  const recordsOf = (id: string): Promise<any[]> => engine.db('audit_log').where({ subject_id: id });

  test.each([
    ['failed', 5],
    ['delivered', 1],
  ])('makes a %s delivery pending again, and keeps its attempts and event id', async (status, made) => {
    const { id, eventId, organizationId } = await delivery(status, made);
    engine.now += 1_000;
    expect(await again(id, organizationId)).toBe('again');
    expect(await loadDelivery(engine.db, id, engine.now)).toMatchObject({
      status: 'pending',
      eventId,
      attemptsMade: made,
      earlierAttempts: made,
    });
    const row = await engine.db('webhook_deliveries').where({ id }).first();
    expect(row.next_attempt_at).toEqual(new Date(engine.now));
    expect(await recordsOf(id)).toMatchObject([
      { action: 'delivery.redeliver', organization_id: organizationId },
    ]);
  });

  test('keeps the last 100 attempts of a delivery that was redelivered many times, and continues their numbers', async () => {
    const { id, organizationId } = await delivery('failed', 120);
    expect(await again(id, organizationId)).toBe('again');
    const counts = { attemptsMade: 120, earlierAttempts: 120 };
    expect(await loadDelivery(engine.db, id, engine.now)).toMatchObject(counts);
    const kept = await engine.db('webhook_attempts').where({ delivery_id: id }).orderBy('attempt');
    expect(kept.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 100 }, (_none, n) => n + 21));
    const all = { filter: { organizationId, status: 'failed' as const }, limit: 10, actor, now: engine.now };
    await engine.db('webhook_deliveries').where({ id }).update({ status: 'failed', earlier_attempts: 0 });
    expect(await redeliverMany(engine.db, all)).toMatchObject({ deliveryIds: [id] });
    expect(await loadDelivery(engine.db, id, engine.now)).toMatchObject(counts);
  });

  test('changes nothing while the delivery still has attempts to make', async () => {
    const { id, organizationId } = await delivery('pending', 2);
    expect(await again(id, organizationId)).toBe('pending');
    expect(await loadDelivery(engine.db, id, engine.now)).toMatchObject({ earlierAttempts: 0 });
    expect(await recordsOf(id)).toEqual([]);
  });

  test('starts one round of attempts for ten simultaneous requests', async () => {
    const { id, organizationId } = await delivery('failed', 5);
    const results = await Promise.all(Array.from({ length: 10 }, () => again(id, organizationId)));
    expect(results.filter((result) => result === 'again')).toHaveLength(1);
    expect(await recordsOf(id)).toHaveLength(1);
  });

  test('returns unknown for a delivery of another organization', async () => {
    const { id } = await delivery('failed', 5);
    const stranger = await engine.owner();
    expect(await again(id, stranger.organizationId)).toBe('unknown');
    expect(await again(randomUUID(), stranger.organizationId)).toBe('unknown');
    expect(await loadDelivery(engine.db, id, engine.now)).toMatchObject({ status: 'failed' });
  });
});

describeWith('postgres', 'redeliverMany()', () => {
  let engine: EngineDatabase;
  let organizationId: string;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    ({ organizationId } = await engine.owner());
  });

  /** Creates `count` deliveries of one status, a second apart, and returns them oldest first. */
  async function deliveries(count: number, status: string, of = organizationId): Promise<string[]> {
    const made = Array.from({ length: count }, (_, index) => ({
      id: randomUUID(),
      event_id: randomUUID(),
      organization_id: of,
      event: 'campaign.completed',
      url: 'https://example.com/hook',
      body: '{}',
      status,
      created_at: new Date(engine.now + index * 1_000),
    }));
    if (made.length > 0) await engine.db.batchInsert('webhook_deliveries', made, 500);
    return made.map(({ id }) => id);
  }
  const many = (filter: Partial<ManyRedeliveries['filter']> = {}, limit = 1_000) =>
    redeliverMany(engine.db, {
      filter: { organizationId, status: 'failed', ...filter },
      limit,
      actor,
      now: engine.now,
    });
  const at = (index: number) => new Date(engine.now + index * 1_000).toISOString();
  const pending = (): Promise<any[]> =>
    engine
      .db('webhook_deliveries')
      .where({ organization_id: organizationId, status: 'pending' })
      .orderBy('next_attempt_at');

  test('redelivers the oldest first, a tenth of a second apart, and returns how many more match', async () => {
    const ids = await deliveries(5, 'failed');
    await deliveries(2, 'delivered');
    expect(await many({}, 3)).toEqual({ deliveryIds: ids.slice(0, 3), skipped: 2 });
    const begun = await pending();
    expect(begun.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(begun.map((row) => row.next_attempt_at.getTime() - engine.now)).toEqual([0, 100, 200]);
    expect(await many()).toEqual({ deliveryIds: ids.slice(3), skipped: 0 });
    expect(await many()).toEqual({ deliveryIds: [], skipped: 0 });
  });

  test('keeps the attempts and the event id, and starts a new round of attempts', async () => {
    const [id = ''] = await deliveries(1, 'failed');
    const attempt = { statusCode: 500, durationMs: 1, error: 'status 500', nextAttemptAt: null };
    for (const nth of [1, 2, 3, 4, 5])
      await recordAttempt(engine.db, {
        ...attempt,
        deliveryId: id,
        attempt: nth,
        at: engine.now,
        status: 'failed',
      });
    const before = await loadDelivery(engine.db, id, engine.now);
    await many();
    expect(await loadDelivery(engine.db, id, engine.now)).toEqual({
      ...before,
      status: 'pending',
      attemptsMade: 5,
      earlierAttempts: 5,
    });
    const records = await engine.db('audit_log').where({ subject_id: id });
    expect(records).toMatchObject([
      { action: 'delivery.redeliver', organization_id: organizationId, actor_id: 'key-1' },
    ]);
  });

  test('filters by status and time (`from` inclusive, `to` exclusive) within the organization', async () => {
    const ids = await deliveries(4, 'failed');
    const [delivered] = await deliveries(1, 'delivered');
    const { organizationId: stranger } = await engine.owner();
    await deliveries(2, 'failed', stranger);
    expect((await many({ from: at(1), to: at(3) })).deliveryIds).toEqual(ids.slice(1, 3));
    expect((await many({ status: 'delivered' })).deliveryIds).toEqual([delivered]);
    expect((await many({ callId: 'outbound-1' })).deliveryIds).toEqual([]);
    expect((await many()).deliveryIds).toEqual([ids[0], ids[3]]);
  });

  test('redelivers each delivery once for ten simultaneous requests', async () => {
    const ids = await deliveries(30, 'failed');
    const results = await Promise.all(Array.from({ length: 10 }, () => many({}, 20)));
    expect(results.flatMap(({ deliveryIds }) => deliveryIds).sort()).toEqual([...ids].sort());
  });

  test('keeps at most a thousand redeliveries of an organization pending', async () => {
    await deliveries(1_010, 'failed');
    await engine
      .db('webhook_deliveries')
      .where({ organization_id: organizationId })
      .update({ attempts_made: 1 });
    expect(await many()).toMatchObject({ deliveryIds: { length: 1_000 }, skipped: 10 });
    expect(await many()).toEqual({ deliveryIds: [], skipped: 10 });
    const [{ id }] = await pending();
    await engine.db('webhook_deliveries').where({ id }).update({ status: 'delivered' });
    expect(await many()).toMatchObject({ deliveryIds: { length: 1 }, skipped: 9 });
  });

  test('leaves due deliveries to reconciliation, page by page, if the requesting process dies', async () => {
    // The query reads the whole database, so deliveries of other tests are deleted.
    await engine.db('webhook_deliveries').where({ status: 'pending' }).update({ status: 'failed' });
    const ids = await deliveries(300, 'failed');
    await many();
    const found = async (inMs: number) =>
      (await overdueDeliveries(engine.db, engine.now + inMs))
        .map(({ deliveryId }) => deliveryId)
        .filter((id) => ids.includes(id));
    expect(await found(0)).toEqual([]);
    expect(await found(1_000)).toEqual(ids.slice(0, 10));
    expect(await found(60_000)).toEqual(ids.slice(0, 200));
  });
});

describeWith('postgres', 'claimDelivery()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  async function due(dueInMs: number | null): Promise<string> {
    const { organizationId } = await engine.owner();
    const id = randomUUID();
    await engine.db('webhook_deliveries').insert({
      id,
      event_id: randomUUID(),
      organization_id: organizationId,
      event: 'campaign.completed',
      url: 'https://example.com/hook',
      body: '{}',
      created_at: new Date(engine.now),
      next_attempt_at: dueInMs === null ? null : new Date(engine.now + dueInMs),
    });
    return id;
  }
  const claim = (deliveryId: string, inMs = 0) =>
    claimDelivery(engine.db, {
      deliveryId,
      now: engine.now + inMs,
      until: engine.now + inMs + 10_000,
    });

  test('gives the attempt to only one of twenty simultaneous workers until its claim ends', async () => {
    const id = await due(0);
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim(id)));
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ kind }) => kind === 'not due')).toHaveLength(19);
    expect(await claim(id, 9_999)).toEqual({ kind: 'not due', dueAt: engine.now + 10_000 });
  });

  test('gives the attempt of a dead worker to another one when its claim ends', async () => {
    const id = await due(null);
    expect((await claim(id)).kind).toBe('claimed');
    expect(await claim(id, 10_000)).toMatchObject({ kind: 'claimed', delivery: { id, attemptsMade: 0 } });
  });

  test("rejects a claim for an attempt that isn't due yet", async () => {
    const id = await due(25_000);
    expect(await claim(id, 24_999)).toEqual({ kind: 'not due', dueAt: engine.now + 25_000 });
    expect((await claim(id, 25_000)).kind).toBe('claimed');
  });

  test('keeps the time of the next attempt after an attempt was recorded', async () => {
    const id = await due(0);
    await claim(id);
    const attempt = {
      deliveryId: id,
      attempt: 1,
      at: engine.now,
      statusCode: 500,
      durationMs: 1,
      error: 'status 500',
    };
    await recordAttempt(engine.db, { ...attempt, status: 'pending', nextAttemptAt: engine.now + 5_000 });
    expect(await claim(id, 4_000)).toEqual({ kind: 'not due', dueAt: engine.now + 5_000 });
    expect(await claim(id, 5_000)).toMatchObject({ kind: 'claimed', delivery: { attemptsMade: 1 } });
  });

  test('rejects a claim for a finished or unknown delivery', async () => {
    const id = await due(0);
    await engine.db('webhook_deliveries').where({ id }).update({ status: 'failed', next_attempt_at: null });
    expect(await claim(id)).toEqual({ kind: 'over' });
    expect(await claim(randomUUID())).toEqual({ kind: 'over' });
  });
});
