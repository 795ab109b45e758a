import { recordNotPlaced } from '../../db/calls/engine';
import { applyProgress } from '../../db/calls/events';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START, type CampaignOptions } from './support/engine-database';

const iso = (ms: number): string => new Date(ms).toISOString();

describeWith('postgres', 'endCall()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(() => {
    engine.now = START;
  });

  /** Returns a campaign with one call at the carrier. */
  async function placed(options: CampaignOptions = {}) {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 1, ...options });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    return { owner, campaignId, callId };
  }

  const contactOf = async (campaignId: string) => (await engine.contacts(campaignId))[0];

  test('ends a call only once, and returns null for a second end', async () => {
    const { callId, campaignId } = await placed();
    expect(await engine.end(callId, 'agent')).not.toBeNull();
    const before = [await engine.call(callId), await engine.campaignRow(campaignId)];
    engine.now += 5_000;
    expect(await engine.end(callId, 'busy')).toBeNull();
    expect([await engine.call(callId), await engine.campaignRow(campaignId)]).toEqual(before);
  });

  test('stores the caller ID that the carrier chose, unless an event has reported it', async () => {
    const [silent, known] = [await placed(), await placed()];
    await engine.db('calls').where({ call_id: known.callId }).update({ from_number: '+918040000001' });
    for (const { callId } of [silent, known])
      await engine.end(callId, 'agent', { fromNumber: '+918040000002' });
    expect((await engine.call(silent.callId)).from_number).toBe('+918040000002');
    expect((await engine.call(known.callId)).from_number).toBe('+918040000001');
  });

  test('ends a call once when ten ends arrive at the same time', async () => {
    const { callId, campaignId } = await placed();
    const decisions = await Promise.all(Array.from({ length: 10 }, () => engine.end(callId, 'agent')));
    expect(decisions.filter((decision) => decision !== null)).toHaveLength(1);
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 1, failed: 0 });
  });

  test('ends many calls in one batch with the same results as one by one, across campaigns and organizations', async () => {
    const lines = { concurrency: 3, contacts: 3 };
    const owners = [await engine.owner(), await engine.owner()];
    const campaigns = await Promise.all(
      owners.flatMap((owner) =>
        [lines, lines].map(async (options) => {
          const campaignId = await engine.campaign(owner, options);
          const { granted } = await engine.feed(owner, campaignId);
          for (const callId of granted) await engine.dial(callId);
          return { campaignId, callIds: granted };
        }),
      ),
    );
    const reasons = ['agent', 'busy', 'callee'] as const;
    const decisions = await Promise.all(
      campaigns.flatMap(({ callIds }) =>
        callIds.map((callId, nth) => engine.end(callId, reasons[nth] ?? 'agent')),
      ),
    );
    expect(decisions).not.toContain(null);
    for (const { campaignId, callIds } of campaigns) {
      expect(callIds).toHaveLength(3);
      expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 2, failed: 0 });
      expect((await engine.contacts(campaignId)).map(({ state }) => state).sort()).toEqual([
        'completed',
        'completed',
        'pending',
      ]);
      expect(await engine.campaignRow(campaignId)).toMatchObject({ recent_dials: '000' });
    }
    const asked = decisions.map((decision) => decision?.refillCampaignId ?? null).filter((id) => id !== null);
    expect(asked.sort()).toEqual(campaigns.map(({ campaignId }) => campaignId).sort());
  });

  test('grants each line of simultaneous ends to one waiting call, and reports each grant once', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { concurrency: 4, contacts: 12 });
    const { granted } = await engine.feed(owner, campaignId);
    await engine.feed(owner, campaignId);
    for (const callId of granted) await engine.dial(callId);
    const decisions = await Promise.all(granted.map((callId) => engine.end(callId, 'agent')));
    const next = decisions.flatMap((decision) => decision?.granted ?? []);
    expect(new Set(next).size).toBe(4);
    expect(await engine.stages(next)).toEqual(Array(4).fill('granted'));
    expect(decisions.every((decision) => decision !== null && decision.granted.length <= 2)).toBe(true);
  });

  test('rejects only the end that cannot be written, not the simultaneous ones', async () => {
    const { callId } = await placed();
    const other = await placed();
    const wrong = engine.end(other.callId, 'agent', { fromNumber: '\u0000' });
    const failed = expect(wrong).rejects.toThrow('unsupported Unicode escape sequence');
    const ended = await Promise.all([
      engine.end('outbound-0-none', 'agent'),
      engine.end(callId, 'agent'),
      engine.end('outbound-0-nobody', 'agent'),
    ]);
    await failed;
    expect(ended.map((decision) => decision !== null)).toEqual([false, true, false]);
    expect(await engine.stageOf(other.callId)).toBe('placed');
  });

  test('returns null for an unknown call', async () => {
    expect(await engine.end('outbound-0-none', 'agent')).toBeNull();
  });

  test('measures talk time from the answer, and charges every started minute', async () => {
    const { callId, campaignId } = await placed();
    const facts = {
      dialingAt: iso(START + 1_000),
      ringingAt: iso(START + 2_000),
      answeredAt: iso(START + 10_000),
      answeredBy: 'human',
      endedAt: iso(START + 10_000 + MINUTE_MS + 1),
    } as const;
    engine.now = Date.parse(facts.endedAt);
    await engine.end(callId, 'callee', facts);
    expect(await engine.call(callId)).toMatchObject({
      stage: 'over',
      call_status: 'User disconnected',
      end_reason: 'callee',
      answered_by: 'human',
      duration_ms: MINUTE_MS + 1,
      call_cost: 4,
      dialing_at: new Date(facts.dialingAt),
      ringing_at: new Date(facts.ringingAt),
      answered_at: new Date(facts.answeredAt),
      ended_at: new Date(facts.endedAt),
      will_retry: false,
      next_attempt_at: null,
    });
    expect(await contactOf(campaignId)).toMatchObject({
      state: 'completed',
      reason: null,
      attempts: 1,
      callId: null,
    });
  });

  test.each([
    [0, 0],
    [1, 2],
    [MINUTE_MS, 2],
    [MINUTE_MS + 1, 4],
    [10 * MINUTE_MS, 20],
  ])('bills %d ms of talk time at two credits per minute as %d credits', async (talkMs, cost) => {
    const { callId } = await placed();
    engine.now = START + talkMs;
    await engine.end(callId, 'agent', { answeredAt: iso(START) });
    expect(await engine.call(callId)).toMatchObject({ duration_ms: talkMs, call_cost: cost });
  });

  test('records no talk time if the clocks put the end before the answer', async () => {
    const { callId } = await placed();
    await engine.end(callId, 'agent', { answeredAt: iso(START + 1_000), endedAt: iso(START) });
    expect(await engine.call(callId)).toMatchObject({ duration_ms: 0, call_cost: 0 });
  });

  test('records no talk time without a conversation, even if an answer was reported', async () => {
    const { callId } = await placed();
    await engine.end(callId, 'no_answer', { answeredAt: iso(START), endedAt: iso(START + MINUTE_MS) });
    expect(await engine.call(callId)).toMatchObject({ duration_ms: 0, call_cost: 0 });
  });

  test('keeps times that were reported earlier', async () => {
    const { callId } = await placed();
    await engine
      .db('calls')
      .where({ call_id: callId })
      .update({ answered_at: iso(START + 1_000) });
    engine.now = START + 11_000;
    await engine.end(callId, 'agent', { answeredAt: iso(START + 9_000) });
    expect(await engine.call(callId)).toMatchObject({
      answered_at: new Date(START + 1_000),
      duration_ms: 10_000,
    });
  });

  test.each(['no_answer', 'busy', 'carrier_failure', 'carrier_unavailable'] as const)(
    "schedules a redial after %s, with a delay that starts when the report arrives, not at the carrier's time",
    async (reason) => {
      const { callId, campaignId } = await placed({ retryDelayMins: 7 });
      engine.now = START + 30_000;
      await engine.end(callId, reason, { endedAt: iso(START - 10 * MINUTE_MS) });
      const dueAt = new Date(START + 30_000 + 7 * MINUTE_MS);
      expect(await contactOf(campaignId)).toMatchObject({
        state: 'pending',
        reason: null,
        attempts: 1,
        nextAttemptAt: dueAt,
        callId: null,
      });
      expect(await engine.call(callId)).toMatchObject({
        will_retry: true,
        next_attempt_at: dueAt,
        call_cost: 0,
      });
      expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 0 });
    },
  );

  test.each([
    ['rejected', 'failed'],
    ['invalid_number', 'invalid'],
    ['lost', 'failed'],
    ['request_refused', 'failed'],
  ] as const)(
    'schedules no redial after %s and ends the contact as %s, with the reason',
    async (reason, state) => {
      const { callId, campaignId } = await placed();
      await engine.end(callId, reason);
      expect(await contactOf(campaignId)).toMatchObject({ state, reason, nextAttemptAt: null });
      expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 1 });
    },
  );

  test('ends the contact after the last dial that max_attempts allows', async () => {
    const { callId, campaignId, owner } = await placed({ maxAttempts: 2, retryDelayMins: 1 });
    await engine.end(callId, 'busy');
    engine.now += MINUTE_MS - 1;
    expect((await engine.claim(campaignId)).claimed).toEqual([]);
    engine.now += 1;
    const [second = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(second);
    await engine.end(second, 'busy');
    expect(await contactOf(campaignId)).toMatchObject({ state: 'failed', reason: 'busy', attempts: 2 });
    expect(await engine.call(second)).toMatchObject({ attempt: 2, will_retry: false });
  });

  test('schedules no redial if only one dial is allowed', async () => {
    const { callId, campaignId } = await placed({ maxAttempts: 1 });
    await engine.end(callId, 'no_answer');
    expect((await contactOf(campaignId))?.state).toBe('failed');
  });

  test('schedules no redial after the campaign was cancelled', async () => {
    const { callId, campaignId } = await placed();
    await engine.set(campaignId, { status: 'cancelled' });
    await engine.end(callId, 'busy');
    expect((await contactOf(campaignId))?.state).toBe('failed');
  });

  test('schedules a redial after the campaign was paused', async () => {
    const { callId, campaignId } = await placed();
    await engine.set(campaignId, { status: 'paused' });
    await engine.end(callId, 'busy');
    expect((await contactOf(campaignId))?.state).toBe('pending');
  });

  test.each(['claimed', 'waiting', 'granted'])('counts no attempt for a call that is %s', async (stage) => {
    const owner = await engine.owner(stage === 'granted' ? 1 : 10);
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [call] = (await engine.claim(campaignId, { dialUntil: stage === 'waiting' ? START : START + 1 }))
      .claimed;
    const callId = call?.callId ?? '';
    if (stage !== 'claimed') await engine.register(owner, [callId]);
    expect(await engine.stages([callId])).toEqual([stage]);
    await engine.end(callId, 'cancelled');
    expect(await contactOf(campaignId)).toMatchObject({ state: 'cancelled', attempts: 0, callId: null });
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 1 });
    expect(await engine.linesOf(owner)).toEqual([]);
  });

  test.each([
    ['cancelled', 0],
    ['carrier_unavailable', 1],
  ] as const)(
    'ends a dial that the carrier did not place with reason %s, and counts %d attempts',
    async (reason, attempts) => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner, { contacts: 1, maxAttempts: 1 });
      const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
      await engine.begin(callId);
      await recordNotPlaced(engine.db, callId, engine.now + 3_000);
      expect(await engine.stages([callId])).toEqual(['granted']);
      await engine.end(callId, reason);
      expect(await contactOf(campaignId)).toMatchObject({ attempts });
      expect((await engine.call(callId)).requested_at).toEqual(attempts === 0 ? null : new Date(START));
    },
  );

  test('counts the attempt when a person cancels a ringing call', async () => {
    const { callId, campaignId } = await placed({ maxAttempts: 1 });
    await engine.end(callId, 'cancelled');
    expect(await contactOf(campaignId)).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect((await engine.call(callId)).requested_at).toEqual(new Date(START));
  });

  test('changes no contact and wakes no campaign when a dispatch ends', async () => {
    const owner = await engine.owner(1);
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    expect(await engine.end(callId, 'busy')).toEqual({ granted: [], refillCampaignId: null });
    expect(await engine.call(callId)).toMatchObject({ will_retry: false, call_status: 'busy' });
  });

  test('limits the times of earlier steps to the end of the call, even if they come late or from another clock', async () => {
    const { callId: before } = await placed();
    const { callId: late } = await placed();
    const at = (ms: number) => new Date(START + ms);
    engine.now = START + 10_000;
    const progress = (reference: string, type: 'dialing' | 'ringing', ms: number) =>
      applyProgress(engine.db, [{ reference, carrierId: 'c', type, at: at(ms).toISOString() }], {
        now: engine.now,
        creditsPerMinute: 1,
      });
    await progress(before, 'dialing', 1_000);
    await progress(before, 'ringing', 9_000);
    await engine.end(before, 'no_answer', { endedAt: at(5_000).toISOString() });
    await engine.end(late, 'no_answer', { endedAt: at(5_000).toISOString() });
    await progress(late, 'ringing', 9_000);
    expect(await engine.call(before)).toMatchObject({ dialing_at: at(1_000), ringing_at: at(5_000) });
    expect(await engine.call(late)).toMatchObject({ dialing_at: null, ringing_at: at(5_000) });
  });
});
