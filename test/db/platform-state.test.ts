/** Tests the metrics of the whole platform with real rows. */
import { platformState } from '../../db/reconciliation/platform-state';
import type { PlatformState } from '../../domain/platform-state';
import { openDatabase, poolUse } from '../../db/kernel/connection';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';

describeWith('postgres', 'platformState()', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner(2);
    await engine.db.raw(
      'delete from webhook_deliveries; delete from lines; delete from calls; delete from campaigns',
    );
  });

  const state = (): Promise<PlatformState> => platformState(engine.db, engine.now);

  test('returns zero for everything if there are no rows', async () => {
    expect(await state()).toEqual({
      linesInUse: 0,
      linesLeaked: 0,
      oldestLineS: 0,
      oldestUnusedLineS: 0,
      callsByStage: {},
      unprocessedCalls: 0,
      oldestUnprocessedCallS: 0,
      callsPastRetention: 0,
      stuckWorkflows: 0,
      openCampaignsByStatus: {},
      starvedCampaigns: 0,
      pendingWebhooks: 0,
      oldestPendingWebhookS: 0,
      webhookAttemptLateS: 0,
    });
  });

  test('counts calls by stage and lines, and returns how long the oldest line has been unused', async () => {
    const talking = await engine.dispatch(owner);
    await engine.dial(talking);
    engine.now += 5_000;
    await engine.dispatch(owner);
    await engine.dispatch(owner);
    engine.now += 2_500;
    expect(await state()).toMatchObject({
      callsByStage: { placed: 1, granted: 1, waiting: 1 },
      linesInUse: 2,
      linesLeaked: 0,
      oldestLineS: 7.5,
      oldestUnusedLineS: 2.5,
    });
  });

  test('counts the line of a call that is over or waiting again as leaked', async () => {
    const [over, waits] = [await engine.dispatch(owner), await engine.dispatch(owner)];
    await engine
      .db('calls')
      .where({ call_id: over })
      .update({ stage: 'over', ended_at: new Date(engine.now) });
    expect((await state()).linesLeaked).toBe(1);
    await engine.db('calls').where({ call_id: waits }).update({ stage: 'waiting' });
    expect((await state()).linesLeaked).toBe(2);
  });

  test('counts finished calls that are not processed, and returns the age of the oldest', async () => {
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    await engine.end(callId, 'busy');
    engine.now += 90_000;
    expect(await state()).toMatchObject({
      unprocessedCalls: 1,
      oldestUnprocessedCallS: 90,
      callsByStage: {},
    });
    await engine
      .db('calls')
      .where({ call_id: callId })
      .update({ concluded_at: new Date(engine.now) });
    expect(await state()).toMatchObject({ unprocessedCalls: 0, oldestUnprocessedCallS: 0 });
  });

  test('returns the age of the oldest pending webhook and the delay of the most overdue attempt', async () => {
    const delivery = (id: string, createdAt: number, nextAttemptAt: number, status = 'pending') =>
      engine.db('webhook_deliveries').insert({
        id,
        event_id: id,
        organization_id: owner.organizationId,
        event: 'call.completed',
        url: 'https://hooks.example/a',
        body: '{}',
        status,
        created_at: new Date(createdAt),
        next_attempt_at: new Date(nextAttemptAt),
      });
    const at = engine.now;
    await delivery('00000000-0000-4000-8000-000000000001', at - MINUTE_MS, at + 60_000);
    await delivery('00000000-0000-4000-8000-000000000002', at - 30_000, at - 4_000);
    await delivery('00000000-0000-4000-8000-000000000003', at - 900_000, at - 900_000, 'delivered');
    expect(await state()).toMatchObject({
      pendingWebhooks: 2,
      oldestPendingWebhookS: 60,
      webhookAttemptLateS: 4,
    });
  });

  describe('starved campaigns', () => {
    /** Returns a campaign within its dialling time, with due contacts and no calls. */
    const starving = async (options: Parameters<EngineDatabase['campaign']>[1] = {}): Promise<string> => {
      const id = await engine.campaign(owner, { contacts: 2, concurrency: 1, ...options });
      await engine.set(id, { status: 'active', dialing_until: new Date(engine.now + 60 * MINUTE_MS) });
      return id;
    };
    const starved = async (): Promise<number> => (await state()).starvedCampaigns;

    test('counts a campaign while its contacts are due and a line is free', async () => {
      await starving();
      expect(await starved()).toBe(1);
    });

    test('counts a campaign while its waiting call could have the line', async () => {
      const id = await starving({ contacts: 1 });
      const { claimed } = await engine.claim(id);
      await engine.db('calls').where({ call_id: claimed[0]?.callId }).update({ stage: 'waiting' });
      expect(await starved()).toBe(1);
    });

    test.each<[string, (id: string) => Promise<unknown>]>([
      ['it uses all its lines', async (id) => engine.feed(owner, id)],
      [
        'its organization has no free line',
        async () => {
          await engine.dispatch(owner);
          await engine.dispatch(owner);
        },
      ],
      ['it is paused', (id) => engine.set(id, { status: 'paused' })],
      ['its window is closed', (id) => engine.set(id, { dialing_until: new Date(engine.now) })],
      [
        'its contacts are not due yet',
        (id) =>
          engine
            .db('contacts')
            .where({ campaign_id: id })
            .update({ next_attempt_at: new Date(engine.now + 1) }),
      ],
      [
        'it has no contacts left',
        (id) => engine.db('contacts').where({ campaign_id: id }).update({ state: 'completed' }),
      ],
    ])('counts no campaign while %s', async (_why, change) => {
      await change(await starving());
      expect(await starved()).toBe(0);
    });
  });

  test('includes used, idle and waiting connections of a pool', async () => {
    const db = openDatabase({ url: engine.url, poolSize: 1, timeoutMs: 20_000, applicationName: 'test' });
    expect(poolUse(db)).toEqual({ used: 0, free: 0, waiting: 0, max: 1 });
    await db.transaction(async (trx) => {
      await trx.raw('select 1');
      const second = db.raw('select 1').then(() => undefined);
      await new Promise(setImmediate);
      expect(poolUse(db)).toEqual({ used: 1, free: 0, waiting: 1, max: 1 });
      void second;
    });
    await db.raw('select 1');
    expect(poolUse(db)).toMatchObject({ used: 0, free: 1, waiting: 0 });
    await db.destroy();
  });
});

describeWith('postgres', 'the times of a dial', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
    owner = await engine.owner();
  });
  afterAll(() => engine.close());

  const dialled = async (callId: string) => {
    await engine.begin(callId);
    return engine.place(callId);
  };

  test('returns when a dispatch was accepted, got its line, and was dialled', async () => {
    const acceptedAt = engine.now;
    const callId = await engine.dispatch(owner, { queued: false });
    engine.now += 3_000;
    await engine.register(owner, [callId]);
    engine.now += 500;
    expect(await dialled(callId)).toEqual({
      dueAs: 'dispatch',
      dueAt: new Date(acceptedAt),
      lineGrantedAt: new Date(acceptedAt + 3_000),
      requestedAt: new Date(acceptedAt + 3_500),
    });
  });

  test("returns no due time for a contact's first dial, and the time set by the previous attempt for a redial", async () => {
    const id = await engine.campaign(owner, { contacts: 1, retryDelayMins: 10 });
    const [first = ''] = (await engine.feed(owner, id)).granted;
    expect(await dialled(first)).toMatchObject({ dueAs: null, dueAt: null });
    await engine.end(first, 'busy');
    const dueAt = engine.now + 10 * MINUTE_MS;
    engine.now = dueAt + 2_000;
    const [second = ''] = (await engine.feed(owner, id)).granted;
    expect(await dialled(second)).toMatchObject({ dueAs: 'redial', dueAt: new Date(dueAt) });
  });

  test('returns undefined for an unknown call', async () => {
    expect(await engine.place('outbound-0-none')).toBeUndefined();
  });
});
