import * as overdue from '../../db/reconciliation';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type Owner } from './support/engine-database';

describeWith('postgres', 'what reconciliation finds overdue', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner(2);
    // What is found is found in the whole database: the calls of other tests are out of the way.
    await engine.db.raw(
      `delete from webhook_deliveries; delete from lines; delete from calls; delete from campaigns`,
    );
  });

  test('a line that is not used, past its time and not at it', async () => {
    const callId = await engine.dispatch(owner);
    expect(await overdue.unusedLines(engine.db, START)).toEqual([]);
    expect(await overdue.unusedLines(engine.db, START + 1)).toEqual([callId]);
    await engine.begin(callId);
    expect(await overdue.unusedLines(engine.db, START + 1)).toEqual([]);
  });

  test('a call at the carrier of which nothing was heard, the longest silent first', async () => {
    const asked = await engine.dispatch(owner);
    await engine.begin(asked);
    engine.now += 1_000;
    const placed = await engine.dispatch(owner);
    await engine.dial(placed);
    const found = async (before: number) =>
      (await overdue.silentCalls(engine.db, before)).map(({ callId }) => callId);
    expect(await found(START)).toEqual([]);
    expect(await found(START + 1)).toEqual([asked]);
    expect(await found(START + 1_001)).toEqual([asked, placed]);
    await overdue.markHeard(engine.db, [asked], START + 5_000);
    expect(await found(START + 1_001)).toEqual([placed]);
    await engine.end(placed, 'agent');
    expect(await found(START + 1_001)).toEqual([]);
  });

  test('a dispatch that never came to queue for a line, and no call of a campaign', async () => {
    const unstarted = await engine.dispatch(owner, { queued: false });
    await engine.dispatch(owner);
    await engine.claim(await engine.campaign(owner));
    expect(await overdue.unstartedDispatches(engine.db, START)).toEqual([]);
    expect(await overdue.unstartedDispatches(engine.db, START + 1)).toEqual([
      { callId: unstarted, dialUntil: null, ...owner },
    ]);
  });

  test('a long wait for a line, until it was looked at', async () => {
    await engine.dispatch(owner);
    await engine.dispatch(owner);
    const waiting = await engine.dispatch(owner);
    expect(await overdue.longWaiting(engine.db, START + 1)).toHaveLength(1);
    const [callId = waiting] = await overdue.longWaiting(engine.db, START + 1);
    await overdue.markHeard(engine.db, [callId], START + 5_000);
    expect(await overdue.longWaiting(engine.db, START + 1)).toEqual([]);
  });

  test('a call that is over and not processed', async () => {
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    await engine.end(callId, 'busy');
    expect(await overdue.unconcludedCalls(engine.db, START, START)).toEqual([]);
    expect(await overdue.unconcludedCalls(engine.db, START + 1, START + 1)).toEqual([
      { callId, callStatus: 'busy', isAsked: false },
    ]);
    await engine
      .db('calls')
      .where({ call_id: callId })
      .update({ concluded_at: new Date(START) });
    expect(await overdue.unconcludedCalls(engine.db, START + 1, START + 1)).toEqual([]);
  });

  test('clients whose calls wait, each once', async () => {
    expect(await overdue.clientsWaiting(engine.db)).toEqual([]);
    for (let n = 0; n < 5; n++) await engine.dispatch(owner);
    expect(await overdue.clientsWaiting(engine.db)).toEqual([owner.clientId]);
  });

  test('campaigns that should have a workflow: open ones, and cancelled ones that have not ended', async () => {
    const ids: Record<string, string> = {};
    for (const status of ['active', 'scheduled', 'paused', 'paused_out_of_range', 'completed', 'cancelled']) {
      ids[status] = await engine.campaign(owner);
      await engine.set(ids[status], { status, ended_at: status === 'completed' ? new Date(START) : null });
    }
    const found = async (before: number) =>
      (await overdue.openCampaigns(engine.db, before)).map(({ campaignId }) => campaignId);
    expect(await found(START)).toEqual([]);
    const { completed: _ended, ...open } = ids;
    expect((await found(START + 1)).sort()).toEqual(Object.values(open).sort());
    await engine.set(ids.cancelled ?? '', { ended_at: new Date(START) });
    expect(await found(START + 1)).toHaveLength(4);
  });

  test('campaigns that did not answer a wake-up, unless they have ended', async () => {
    const campaignId = await engine.campaign(owner);
    await engine.set(campaignId, { refill_asked_at: new Date(START) });
    expect(await overdue.unansweredRefills(engine.db, START)).toEqual([]);
    expect(await overdue.unansweredRefills(engine.db, START + 1)).toEqual([campaignId]);
    await engine.set(campaignId, { ended_at: new Date(START) });
    expect(await overdue.unansweredRefills(engine.db, START + 1)).toEqual([]);
  });

  test('deliveries whose next attempt nobody makes', async () => {
    const delivery = (status: string, nextAttemptAt: number | null) => ({
      id: engine.db.raw('gen_random_uuid()'),
      event_id: engine.db.raw('gen_random_uuid()'),
      client_id: owner.clientId,
      event: 'campaign.completed',
      url: 'https://example.com',
      body: '{}',
      status,
      created_at: new Date(START),
      next_attempt_at: nextAttemptAt === null ? null : new Date(nextAttemptAt),
    });
    const [pending] = await engine
      .db('webhook_deliveries')
      .insert([delivery('pending', START), delivery('delivered', null), delivery('failed', null)])
      .returning<{ id: string; status: string }[]>(['id', 'status']);
    expect(await overdue.overdueDeliveries(engine.db, START)).toEqual([]);
    expect(await overdue.overdueDeliveries(engine.db, START + 1)).toEqual([
      { deliveryId: pending?.id, callId: null, clientId: owner.clientId, campaignId: null },
    ]);
  });
});
