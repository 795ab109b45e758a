import { recordNotPlaced } from '../../db/calls/engine';
import { finishCampaign, withdrawRest } from '../../db/campaigns/engine';
import { concludeCall, type CallbackRequest, type Concluded } from '../../db/calls/conclusions';
import { hangUp } from '../../db/calls/hang-up';
import { callEndOf, endedAt } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import {
  EngineDatabase,
  MINUTE_MS,
  START,
  type CampaignOptions,
  type Owner,
} from './support/engine-database';
import { violations } from './support/invariants';

describeWith('postgres', 'a callback', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });
  afterEach(async () => {
    expect(await violations(engine)).toEqual([]);
  });

  let requests = 0;
  const request = (afterMs = MINUTE_MS): CallbackRequest => ({
    id: `00000000-0000-4000-8000-${String(++requests).padStart(12, '0')}`,
    dueAt: engine.now + afterMs,
    callId: `outbound-callback-${requests}`,
    dialUntil: engine.now + 60 * MINUTE_MS,
    maxDepth: 3,
    toNumber: null,
    cap: null,
  });

  const conclude = (callId: string, callback: CallbackRequest | null): Promise<Concluded> =>
    concludeCall(engine.db, {
      callId,
      findings: null,
      segments: [],
      webhook: null,
      callback,
      now: engine.now,
    });

  async function talked(callId: string): Promise<void> {
    await engine.dial(callId);
    await engine.end(callId, 'agent', { answeredAt: new Date(engine.now).toISOString() });
  }

  /** Returns a campaign whose only contact was reached and asked for a callback in a minute. */
  async function asked(options: CampaignOptions = {}) {
    const campaignId = await engine.campaign(owner, { contacts: 1, maxAttempts: 1, ...options });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await talked(callId);
    const concluded = await conclude(callId, request());
    return { campaignId, callId, concluded };
  }

  /** Claims the callback once it is due and returns its call, which has a line. */
  async function due(campaignId: string): Promise<string> {
    engine.now += MINUTE_MS;
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    return callId;
  }

  const statusOf = async (callId: string) => (await engine.call(callId)).callback_status as string;
  const finish = (campaignId: string) => finishCampaign(engine.db, campaignId, engine.now, () => []);

  test('makes the contact of a callback due again and keeps the campaign open', async () => {
    const { campaignId, callId, concluded } = await asked();
    expect(concluded).toMatchObject({ callback: null, wakeCampaignId: campaignId });
    expect((await engine.contacts(campaignId))[0]).toMatchObject({
      state: 'pending',
      nextAttemptAt: new Date(START + MINUTE_MS),
    });
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 0 });
    expect(await engine.call(callId)).toMatchObject({
      callback_status: 'scheduled',
      callback_at: new Date(START + MINUTE_MS),
    });
    expect(await finish(campaignId)).toEqual({ kind: 'unfinished' });
    const survey = await engine.survey(campaignId);
    expect(survey).toMatchObject({ contactsLeft: true, nextDueAt: START + MINUTE_MS });
  });

  test("doesn't claim a callback before it is due", async () => {
    const { campaignId } = await asked();
    engine.now += MINUTE_MS - 1;
    expect((await engine.feed(owner, campaignId)).claimed).toEqual([]);
  });

  test("dials a callback after the contact has used all attempts, and doesn't count it as an attempt", async () => {
    const { campaignId, callId } = await asked();
    const callback = await due(campaignId);
    expect(await engine.call(callback)).toMatchObject({
      attempt: null,
      callback_of: callId,
      callback_depth: 1,
    });
    await talked(callback);
    await conclude(callback, null);
    expect(await statusOf(callId)).toBe('completed');
    expect((await engine.contacts(campaignId))[0]).toMatchObject({ state: 'completed', attempts: 1 });
    expect(await finish(campaignId)).toMatchObject({ kind: 'finished', status: 'completed' });
  });

  test('fails an unanswered callback without a redial, and completes its contact', async () => {
    const { campaignId, callId } = await asked({ maxAttempts: 3 });
    const callback = await due(campaignId);
    await engine.dial(callback);
    await engine.end(callback, 'no_answer');
    expect(await statusOf(callId)).toBe('failed');
    expect((await engine.contacts(campaignId))[0]).toMatchObject({
      state: 'completed',
      attempts: 1,
      nextAttemptAt: null,
    });
  });

  test('cancels or expires a callback together with its campaign', async () => {
    const ends = [
      ['cancelled', 'cancelled', 'cancelled'],
      ['expired', 'expired', 'campaign_over'],
    ] as const;
    for (const [contactState, callStatus, endReason] of ends) {
      const { campaignId, callId } = await asked({ contacts: 2, concurrency: 1 });
      await withdrawRest(engine.db, campaignId, { contactState, callStatus, endReason }, engine.now);
      expect(await statusOf(callId)).toBe(callStatus);
      expect((await engine.contacts(campaignId)).map(({ state }) => state)).toEqual([
        'completed',
        contactState,
      ]);
    }
  });

  test('cancels a callback with its campaign after a temporary refusal by the carrier, and completes its contact', async () => {
    const { campaignId, callId } = await asked();
    const callback = await due(campaignId);
    await engine.begin(callback);
    await recordNotPlaced(engine.db, callback, engine.now + 3_000);
    expect((await engine.contacts(campaignId))[0]).toMatchObject({ state: 'in_progress', callId: callback });
    const cancelled = { contactState: 'cancelled', callStatus: 'cancelled', endReason: 'cancelled' } as const;
    const { ended } = await withdrawRest(engine.db, campaignId, cancelled, engine.now);
    expect(ended).toEqual([callback]);
    expect(await statusOf(callId)).toBe('cancelled');
    expect((await engine.contacts(campaignId))[0]).toMatchObject({ state: 'completed', callId: null });
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 1, failed: 0 });
  });

  test('cancels a callback that is hung up before its dial', async () => {
    const { campaignId, callId } = await asked();
    const callback = await due(campaignId);
    await hangUpBefore(callback);
    expect(await statusOf(callId)).toBe('cancelled');
    expect((await engine.contacts(campaignId))[0]?.state).toBe('completed');
  });

  const hangUpBefore = (callId: string) =>
    hangUp(
      engine.db,
      {
        callId,
        organizationId: owner.organizationId,
        actor: { kind: 'operator', id: 'test', requestId: null },
      },
      callEndOf(endedAt(engine.now, 'cancelled'), 1),
      engine.now,
    );

  test('schedules at most three callbacks in a row', async () => {
    const { campaignId, callId } = await asked();
    const calls = [callId];
    for (let nth = 1; nth <= 3; nth++) {
      const callback = await due(campaignId);
      await talked(callback);
      await conclude(callback, request());
      calls.push(callback);
    }
    const statuses = await Promise.all(calls.map(statusOf));
    expect(statuses).toEqual(['completed', 'completed', 'completed', null]);
    expect((await engine.contacts(campaignId))[0]?.state).toBe('completed');
  });

  test('cancels a callback immediately when it is requested after the campaign was cancelled', async () => {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await talked(callId);
    await engine.set(campaignId, { status: 'cancelled' });
    await conclude(callId, request());
    expect(await statusOf(callId)).toBe('cancelled');
    expect((await engine.contacts(campaignId))[0]?.state).toBe('completed');
  });

  test('keeps a live callback and its contact when the campaign is cancelled', async () => {
    const { campaignId, callId } = await asked();
    const callback = await due(campaignId);
    await engine.dial(callback);
    await withdrawRest(
      engine.db,
      campaignId,
      { contactState: 'cancelled', callStatus: 'cancelled', endReason: 'cancelled' },
      engine.now,
    );
    expect((await engine.contacts(campaignId))[0]).toMatchObject({ state: 'in_progress', callId: callback });
    expect(await statusOf(callId)).toBe('scheduled');
  });

  test('schedules no callback if it is requested after the call was concluded', async () => {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await talked(callId);
    await conclude(callId, null);
    expect((await engine.call(callId)).concluded_at).not.toBeNull();
    await conclude(callId, request());
    expect(await engine.call(callId)).toMatchObject({ callback_id: null, callback_status: null });
    expect((await engine.contacts(campaignId))[0]?.state).toBe('completed');
  });

  test('schedules one callback when it is requested twice', async () => {
    const { campaignId, callId } = await asked();
    const again = await conclude(callId, request());
    expect(again.callback).toBeNull();
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 0 });
    expect((await engine.contacts(campaignId))[0]?.nextAttemptAt).toEqual(new Date(START + MINUTE_MS));
  });

  describe('a callback of a dispatched call', () => {
    test('creates a new call that waits until the callback is due and has a deadline', async () => {
      const callId = await engine.dispatch(owner);
      await talked(callId);
      const asking = request();
      const { callback } = await conclude(callId, asking);
      expect(callback).toMatchObject({
        callId: asking.callId,
        dueAt: asking.dueAt,
        dialUntil: asking.dialUntil,
      });
      const { to_number: number } = await engine.call(callId);
      expect(await engine.call(asking.callId)).toMatchObject({
        stage: 'claimed',
        call_status: 'queued',
        to_number: number,
        callback_of: callId,
        not_before: new Date(asking.dueAt),
      });
      engine.now = asking.dueAt;
      await engine.register(owner, [asking.callId]);
      engine.now = asking.dialUntil;
      expect(await engine.begin(asking.callId)).toEqual({ kind: 'tooLate' });
      engine.now = asking.dialUntil - 1;
      await talked(asking.callId);
      expect(await statusOf(callId)).toBe('completed');
    });

    test('returns the callback again when the conclusion is retried, because its workflow may not have been started', async () => {
      const callId = await engine.dispatch(owner);
      await talked(callId);
      const first = await conclude(callId, request());
      const second = await conclude(callId, request());
      expect(second.callback).toEqual(first.callback);
    });
  });
});
