import { recordPreparation } from '../../db/calls/engine';
import * as overdue from '../../db/reconciliation/overdue';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type Owner } from './support/engine-database';

describeWith('postgres', 'the queries for overdue work', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner(2);
    // The queries read the whole database, so calls of other tests are deleted.
    await engine.db.raw(
      `delete from webhook_deliveries; delete from lines; delete from calls; delete from campaigns`,
    );
  });

  test('finds a line that has been unused for longer than the limit, but not at exactly the limit', async () => {
    const callId = await engine.dispatch(owner);
    const unused = (before: number) => overdue.unusedLines(engine.db, { before, now: START });
    expect(await unused(START)).toEqual([]);
    expect(await unused(START + 1)).toEqual([{ callId, grantedAt: new Date(START) }]);
    await engine.begin(callId);
    expect(await unused(START + 1)).toEqual([]);
  });

  test('leaves a call alone while a worker waits for its agent', async () => {
    const callId = await engine.dispatch(owner);
    await recordPreparation(engine.db, callId, START + 5_000);
    const unused = async (now: number) =>
      (await overdue.unusedLines(engine.db, { before: START + 1, now })).map((call) => call.callId);
    expect(await unused(START + 5_000)).toEqual([]);
    expect(await unused(START + 5_001)).toEqual([callId]);
    await recordPreparation(engine.db, callId, START + 9_000);
    await engine.returnLine(callId);
    expect(await unused(START + 5_001)).toEqual([callId]);
  });

  test('finds silent calls at the carrier, longest silent first', async () => {
    const asked = await engine.dispatch(owner);
    await engine.begin(asked);
    engine.now += 1_000;
    const placed = await engine.dispatch(owner);
    await engine.dial(placed);
    const found = async (before: number) =>
      (await overdue.silentCalls(engine.db, { before, now: START })).map(({ callId }) => callId);
    expect(await found(START)).toEqual([]);
    expect(await found(START + 1)).toEqual([asked]);
    expect(await found(START + 1_001)).toEqual([asked, placed]);
    await overdue.markChecked(engine.db, [asked], START + 5_000);
    expect(await found(START + 1_001)).toEqual([placed]);
    await engine.end(placed, 'agent');
    expect(await found(START + 1_001)).toEqual([]);
  });

  test('finds a dispatch that never queued for a line, but no call of a campaign', async () => {
    const unstarted = await engine.dispatch(owner, { queued: false });
    await engine.dispatch(owner);
    await engine.claim(await engine.campaign(owner));
    expect(await overdue.unstartedDispatches(engine.db, START)).toEqual([]);
    expect(await overdue.unstartedDispatches(engine.db, START + 1)).toEqual([
      { callId: unstarted, dueAt: new Date(START), dialUntil: null, ...owner },
    ]);
  });

  test('finds a call that has waited long for a line, until it is checked', async () => {
    await engine.dispatch(owner);
    await engine.dispatch(owner);
    const callId = await engine.dispatch(owner);
    expect(await overdue.longWaiting(engine.db, START + 1)).toEqual([
      { callId, isDispatched: true, since: new Date(START) },
    ]);
    await overdue.markChecked(engine.db, [callId], START + 5_000);
    expect(await overdue.longWaiting(engine.db, START + 1)).toEqual([]);
  });

  test('finds a finished call that is not processed', async () => {
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    await engine.end(callId, 'busy');
    expect(await overdue.unconcludedCalls(engine.db, START, START)).toEqual([]);
    expect(await overdue.unconcludedCalls(engine.db, START + 1, START + 1)).toEqual([
      { callId, callStatus: 'busy', endedAt: new Date(START), isAsked: false },
    ]);
    await engine
      .db('calls')
      .where({ call_id: callId })
      .update({ concluded_at: new Date(START) });
    expect(await overdue.unconcludedCalls(engine.db, START + 1, START + 1)).toEqual([]);
  });

  describe('organizations with a free line and a waiting call', () => {
    const idle = () => overdue.organizationsWithIdleLines(engine.db, engine.now, null);
    const raise = (maxConcurrency: number) =>
      engine
        .db('organizations')
        .where({ id: owner.organizationId })
        .update({ max_concurrency: maxConcurrency });

    test('finds each organization once, and none while all its lines are in use', async () => {
      for (let n = 0; n < 5; n++) await engine.dispatch(owner);
      expect(await idle()).toEqual([]);
      await raise(3);
      expect(await idle()).toEqual([owner.organizationId]);
    });

    test("skips an organization whose waiting calls belong to campaigns that can't use more lines", async () => {
      await raise(1);
      await engine.dispatch(owner);
      const campaignId = await engine.campaign(owner, { contacts: 5, concurrency: 1 });
      await engine.feed(owner, campaignId);
      await raise(3);
      expect(await idle()).toEqual([owner.organizationId]);
      await engine.set(campaignId, { status: 'paused' });
      expect(await idle()).toEqual([]);
      await engine.set(campaignId, { status: 'active', dialing_until: new Date(engine.now) });
      expect(await idle()).toEqual([]);
      await engine.set(campaignId, { dialing_until: new Date(engine.now + 1) });
      await engine.register(owner, []);
      expect(await idle()).toEqual([]);
    });
  });

  describe('campaigns whose workflow may not be running', () => {
    const suspect = async (requestedBefore = START) =>
      (await overdue.suspectCampaigns(engine.db, { now: engine.now, requestedBefore, after: null })).map(
        ({ campaignId }) => campaignId,
      );

    test('finds campaigns in any non-final status once their check is due', async () => {
      const ids: Record<string, string> = {};
      for (const status of [
        'active',
        'scheduled',
        'paused',
        'paused_out_of_range',
        'completed',
        'cancelled',
      ]) {
        ids[status] = await engine.campaign(owner);
        await engine.set(ids[status], { status, ended_at: status === 'completed' ? new Date(START) : null });
      }
      expect(await suspect()).toEqual([]);
      engine.now += 3_001;
      const { completed: _ended, ...open } = ids;
      expect(await suspect()).toEqual(Object.values(open).sort());
    });

    test('skips a campaign that surveyed its rows within the last minute', async () => {
      const campaignId = await engine.campaign(owner);
      await engine.survey(campaignId);
      engine.now += 60_000;
      expect(await suspect()).toEqual([]);
      engine.now += 1;
      expect(await suspect()).toEqual([campaignId]);
    });

    test("finds a campaign that doesn't react to a wake-up, even right after a survey", async () => {
      const campaignId = await engine.campaign(owner);
      await engine.survey(campaignId);
      await engine.set(campaignId, { refill_requested_at: new Date(START) });
      expect(await suspect(START)).toEqual([]);
      expect(await suspect(START + 1)).toEqual([campaignId]);
      await engine.survey(campaignId);
      expect(await suspect(START + 1)).toEqual([]);
    });

    test('writes the time of a survey at most once in half a minute', async () => {
      const campaignId = await engine.campaign(owner);
      const version = async () =>
        (await engine.db('campaigns').where({ id: campaignId }).select(engine.db.raw('ctid::text')))[0];
      await engine.survey(campaignId);
      const before = await version();
      engine.now += 30_000;
      await engine.survey(campaignId);
      expect(await version()).toEqual(before);
      engine.now += 1;
      await engine.survey(campaignId);
      expect(await version()).not.toEqual(before);
    });

    test('leaves a campaign to the next pass if another transaction locks its row', async () => {
      const [held, other] = [await engine.campaign(owner), await engine.campaign(owner)];
      const holder = await engine.db.transaction();
      await holder('campaigns').where({ id: held }).forUpdate();
      engine.now += 60_000;
      await overdue.recheckCampaigns(engine.db, [held, other], { at: engine.now, restingAt: engine.now });
      await holder.commit();
      expect(await suspect()).toEqual([held]);
    });
  });

  test('finds campaigns that did not react to a wake-up, unless they have ended', async () => {
    const campaignId = await engine.campaign(owner);
    const unanswered = (before: number) => overdue.unansweredRefills(engine.db, before, null);
    await engine.set(campaignId, { refill_requested_at: new Date(START) });
    expect(await unanswered(START)).toEqual([]);
    expect(await unanswered(START + 1)).toEqual([campaignId]);
    await engine.set(campaignId, { ended_at: new Date(START) });
    expect(await unanswered(START + 1)).toEqual([]);
  });

  test('finds deliveries whose next attempt is overdue', async () => {
    const delivery = (status: string, nextAttemptAt: number | null) => ({
      id: engine.db.raw('gen_random_uuid()'),
      event_id: engine.db.raw('gen_random_uuid()'),
      organization_id: owner.organizationId,
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
      { deliveryId: pending?.id, callId: null, organizationId: owner.organizationId, campaignId: null },
    ]);
  });
});
