/**
 * Tests orphaned calls, whose SIP bridge died or whose LiveKit was unreachable. The line and the person's next dial are held back until the
 * phone must have been released.
 */
import { createActivities } from '../../activities';
import { resolvingActivities } from '../../activities/ending/resolving';
import { callEndOf, endedAt } from '../../domain/call-end';
import { markOrphaned } from '../../db/calls/orphaned-calls';
import { hangUp } from '../../db/calls/hang-up';
import type { OrphanedBy } from '../../domain/orphaned-call';
import { describeWith } from '../servers/availability';
import { carrierCall } from './support/carrier-call';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';
import { RoomyCarrier, roomyDependencies, type SentSignal } from './support/roomy-carrier';

const SECOND_MS = 1_000;
const RING_S = 30;
const actor = { kind: 'operator', id: 'test', requestId: null } as const;

describeWith('postgres', 'an orphaned call', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let carrier: RoomyCarrier;
  let sent: SentSignal[];

  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner(1);
    carrier = new RoomyCarrier(() => engine.now);
    sent = [];
    await engine.db.raw('delete from lines; delete from calls; delete from campaigns');
  });

  const reconcile = () =>
    createActivities(roomyDependencies(engine, carrier, sent)).reconcile({ afterOutage: false });
  const pass = (seconds: number): void => void (engine.now += seconds * SECOND_MS);
  const at = (ms: number): Date => new Date(ms);

  /** Returns a call of a campaign that redials after a minute. */
  async function placed(): Promise<string> {
    const campaignId = await engine.campaign(owner, { contacts: 1, maxAttempts: 3, retryDelayMins: 1 });
    const { granted } = await engine.feed(owner, campaignId);
    const [callId = ''] = granted;
    await engine.dial(callId);
    await engine
      .db('calls')
      .where({ call_id: callId })
      .update({ dialing_at: at(engine.now) });
    return callId;
  }

  async function answered(callId: string): Promise<void> {
    const update = { answered_at: at(engine.now), answered_by: 'human', reported_at: at(engine.now) };
    await engine.db('calls').where({ call_id: callId }).update(update);
  }

  /** Runs reconciliation while no reports arrive and look-ups find no participants. */
  async function lostSilently(seconds: number, by: OrphanedBy = 'bridge'): Promise<void> {
    carrier.orphanedBy = by;
    pass(seconds);
    await reconcile();
  }

  const lines = () => engine.linesOf(owner);

  test('keeps the line while the phone may be ringing, and redials the contact only afterwards', async () => {
    const callId = await placed();
    const invitedAt = engine.now;
    await lostSilently(21);
    const orphaned = await engine.call(callId);
    expect(orphaned).toMatchObject({
      stage: 'placed',
      line_kept_until: at(invitedAt + RING_S * SECOND_MS + 10_000),
    });
    pass(18);
    await reconcile();
    expect([await engine.stageOf(callId), await lines()]).toEqual(['placed', [callId]]);
    pass(1);
    await reconcile();
    expect(await engine.call(callId)).toMatchObject({
      stage: 'over',
      end_reason: 'carrier_failure',
      will_retry: true,
      next_attempt_at: at(engine.now + MINUTE_MS),
    });
    expect(await lines()).toEqual([]);
    expect(sent).toContainEqual(expect.objectContaining({ id: callId, name: 'callEnded' }));
  });

  test('keeps the line of an answered call for two minutes of silence, without charge, and does not redial', async () => {
    const callId = await placed();
    await answered(callId);
    const lostAt = engine.now;
    await lostSilently(21);
    pass(98);
    await reconcile();
    expect([await engine.stageOf(callId), await lines()]).toEqual(['placed', [callId]]);
    pass(2);
    await reconcile();
    expect(await engine.call(callId)).toMatchObject({
      call_status: 'error',
      end_reason: 'dropped',
      ended_at: at(lostAt),
      duration_ms: 0,
      call_cost: 0,
      will_retry: false,
    });
    expect(await lines()).toEqual([]);
  });

  test('hangs the call up at the second check, ten seconds later, if it comes back without its agent', async () => {
    const callId = await placed();
    await answered(callId);
    await lostSilently(21);
    carrier.phone = { kind: 'released', isAnswered: null };
    pass(9);
    await reconcile();
    expect(await engine.stageOf(callId)).toBe('placed');
    pass(1);
    await reconcile();
    expect(await engine.call(callId)).toMatchObject({ stage: 'over', end_reason: 'dropped' });
    expect(await lines()).toEqual([]);
  });

  test('ends a call as dropped without a redial if it was answered while LiveKit was unreachable', async () => {
    const callId = await placed();
    await lostSilently(21);
    carrier.phone = { kind: 'released', isAnswered: true };
    pass(10);
    await reconcile();
    expect(await engine.call(callId)).toMatchObject({
      call_status: 'error',
      end_reason: 'dropped',
      call_cost: 0,
      will_retry: false,
    });
  });

  test('does not redial a call that was ringing when LiveKit became unreachable and never came back', async () => {
    const callId = await placed();
    const reportedAt = engine.now;
    await lostSilently(21, 'livekit');
    expect(await engine.call(callId)).toMatchObject({ line_kept_until: at(reportedAt + 65 * SECOND_MS) });
    carrier.isUnreachable = true;
    pass(43);
    await reconcile().catch(() => undefined);
    expect([await engine.stageOf(callId), await lines()]).toEqual(['placed', [callId]]);
    pass(2);
    await reconcile().catch(() => undefined);
    expect(await engine.call(callId)).toMatchObject({
      call_status: 'error',
      end_reason: 'lost',
      call_cost: 0,
      will_retry: false,
    });
    expect(await lines()).toEqual([]);
  });

  test('redials a call that was ringing when LiveKit became unreachable and comes back unanswered', async () => {
    const callId = await placed();
    await lostSilently(21, 'livekit');
    carrier.phone = { kind: 'released', isAnswered: false };
    pass(10);
    await reconcile();
    expect(await engine.call(callId)).toMatchObject({ end_reason: 'carrier_failure', will_retry: true });
  });

  test('continues a call that comes back with its agent', async () => {
    const callId = await placed();
    await answered(callId);
    await lostSilently(21);
    carrier.phone = { kind: 'talks' };
    carrier.orphanedBy = null;
    carrier.calls = [carrierCall({ carrierId: 'room', reference: callId, state: 'answered' })];
    pass(10);
    await reconcile();
    expect(await engine.call(callId)).toMatchObject({
      stage: 'placed',
      orphaned_at: null,
      line_kept_until: null,
    });
    pass(300);
    await reconcile();
    expect(await engine.stageOf(callId)).toBe('placed');
  });

  test('ends a call as dropped without a redial if LiveKit shows an unreported answer, and keeps its line', async () => {
    const callId = await placed();
    await lostSilently(21);
    carrier.phone = { kind: 'absent', wasAnswered: true };
    pass(20);
    await reconcile();
    // LiveKit gives up the dead leg.
    carrier.phone = { kind: 'absent', wasAnswered: false };
    pass(70);
    await reconcile();
    expect([await engine.stageOf(callId), await lines()]).toEqual(['placed', [callId]]);
    pass(30);
    await reconcile();
    expect(await engine.call(callId)).toMatchObject({
      call_status: 'error',
      end_reason: 'dropped',
      call_cost: 0,
      will_retry: false,
    });
    expect(await lines()).toEqual([]);
  });

  test('keeps a call open while LiveKit is unreachable, and still ends it on time', async () => {
    const callId = await placed();
    await answered(callId);
    await lostSilently(21);
    carrier.isUnreachable = true;
    pass(60);
    await reconcile().catch(() => undefined);
    expect(await engine.stageOf(callId)).toBe('placed');
    pass(60);
    await reconcile().catch(() => undefined);
    expect(await engine.call(callId)).toMatchObject({ stage: 'over', end_reason: 'dropped' });
  });

  test("keeps the line after a hang-up request, because the phone can't be hung up", async () => {
    const callId = await placed();
    await answered(callId);
    await lostSilently(21);
    const { organizationId } = owner;
    await hangUp(
      engine.db,
      { callId, organizationId, actor },
      callEndOf(endedAt(engine.now, 'cancelled'), 0),
      engine.now,
    );
    const resolving = resolvingActivities(roomyDependencies(engine, carrier, sent));
    await expect(resolving.stopCall({ callId, now: engine.now })).resolves.toBeNull();
    expect(await lines()).toEqual([callId]);
    pass(120);
    await reconcile();
    expect(await engine.call(callId)).toMatchObject({ stage: 'over', end_reason: 'platform' });
  });

  test("marks a call as orphaned only once, so that later reports don't extend its line", async () => {
    const callId = await placed();
    await answered(callId);
    const loss = { by: 'bridge' as const, now: engine.now, ringTimeoutMs: RING_S * SECOND_MS };
    const keptUntil = await markOrphaned(engine.db, callId, loss);
    pass(60);
    await expect(markOrphaned(engine.db, callId, { ...loss, now: engine.now })).resolves.toBeNull();
    expect((await engine.call(callId)).line_kept_until).toEqual(at(keptUntil ?? 0));
  });

  test('ends a call immediately if another end is reported, because its bridge is alive', async () => {
    const callId = await placed();
    await lostSilently(21);
    await engine.end(callId, 'busy');
    expect([await engine.stageOf(callId), await lines()]).toEqual(['over', []]);
    await expect(
      markOrphaned(engine.db, callId, { by: 'bridge', now: engine.now, ringTimeoutMs: 1 }),
    ).resolves.toBeNull();
  });
});
