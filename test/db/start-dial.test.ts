import { storeVersion } from '../../db/agents/agents';
import { callState, recordNotPlaced, isDialPending } from '../../db/calls/engine';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START, type Owner } from './support/engine-database';

describeWith('postgres', 'start_dial()', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });

  /** Returns a campaign's call that holds a line. */
  async function granted(): Promise<{ campaignId: string; callId: string }> {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [callId] = (await engine.feed(owner, campaignId)).granted;
    if (callId === undefined) throw new Error('no line was granted');
    return { campaignId, callId };
  }

  test('writes the intent and returns the data for the dial', async () => {
    const { callId, campaignId } = await granted();
    expect(await engine.begin(callId)).toEqual({
      kind: 'ask',
      medium: 'telephony',
      to: '+919876500000',
      from: null,
      name: 'Contact 2',
      attempt: 1,
      variables: { city: 'Pune' },
      modifyAgent: null,
      agentName: 'An agent',
      config: { persona: { identity: { system_prompt: 'Talk.' } } },
      notAfter: expect.any(String) as string,
    });
    expect(await engine.call(callId)).toMatchObject({
      stage: 'requested',
      call_status: 'dialing',
      requested_at: new Date(START),
      not_after: new Date(START + 3_000),
      pending_until: new Date(START + 3_200),
    });
    expect((await engine.contacts(campaignId))[0]?.state).toBe('in_progress');
    expect((await engine.sums(campaignId)).inProgress).toBe(1);
  });

  test('keeps isDialPending() true until the dial is recorded as not placed or can no longer ring a phone', async () => {
    const { callId, campaignId } = await granted();
    const asked = (at: number) =>
      Promise.all([{ callId }, { campaignId }].map((of) => isDialPending(engine.db, of, START + at)));
    expect(await asked(0)).toEqual([false, false]);
    await engine.begin(callId, { pendingDialMs: 75_000 });
    expect([await asked(0), await asked(74_999)]).toEqual(Array(2).fill([true, true]));
    expect(await asked(75_000)).toEqual([false, false]);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    expect(await asked(0)).toEqual([false, false]);
  });

  test('limits not_after to the end of the window', async () => {
    const { callId, campaignId } = await granted();
    await engine.set(campaignId, { dialing_until: new Date(START + 1_000) });
    const start = await engine.begin(callId);
    expect(start.kind === 'ask' && Date.parse(start.notAfter)).toBe(START + 1_000);
    expect((await engine.call(callId)).not_after).toEqual(new Date(START + 1_000));
  });

  test('returns the agent version that the call was created with', async () => {
    const { callId } = await granted();
    const { agentId } = owner;
    await storeVersion(engine.db, { agentId, config: { new: true }, status: 'running', now: START });
    expect(await engine.begin(callId)).toMatchObject({
      config: { persona: { identity: { system_prompt: 'Talk.' } } },
    });
  });

  test('returns the earlier intent with its not_after when the dial is retried', async () => {
    const { callId, campaignId } = await granted();
    await engine.begin(callId);
    engine.now += 1_000;
    const again = await engine.begin(callId);
    expect(again.kind === 'requested' && Date.parse(again.notAfter)).toBe(START + 3_000);
    expect((await engine.sums(campaignId)).inProgress).toBe(1);
  });

  test('writes one intent for ten simultaneous runs', async () => {
    const { callId } = await granted();
    const starts = await Promise.all(Array.from({ length: 10 }, () => engine.begin(callId)));
    expect(starts.map(({ kind }) => kind).sort()).toEqual(['ask', ...Array<string>(9).fill('requested')]);
  });

  test('returns the deadline of a placed call and the status of a finished one', async () => {
    const { callId } = await granted();
    await engine.dial(callId);
    expect(await engine.begin(callId)).toEqual({
      kind: 'placed',
      deadlineAt: expect.stringMatching(/^2026-11-02T06:01:10/),
    });
    await engine.end(callId, 'busy');
    expect(await engine.begin(callId)).toEqual({ kind: 'over', callStatus: 'busy' });
  });

  test("allows another dial of a call that wasn't placed, and counts its contact in progress once", async () => {
    const { callId, campaignId } = await granted();
    await engine.begin(callId);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    expect(await callState(engine.db, callId)).toMatchObject({ stage: 'granted', notAfter: null });
    expect((await engine.begin(callId)).kind).toBe('ask');
    expect((await engine.sums(campaignId)).inProgress).toBe(1);
  });

  test('keeps a call placed if recordNotPlaced() runs late', async () => {
    const { callId } = await granted();
    await engine.dial(callId);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    expect((await engine.call(callId)).stage).toBe('placed');
  });

  test('keeps a newer intent if recordNotPlaced() runs late for an earlier one', async () => {
    const { callId } = await granted();
    await engine.begin(callId);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    engine.now += 7_000;
    await engine.begin(callId);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    expect((await engine.call(callId)).stage).toBe('requested');
  });

  test.each(['paused', 'cancelled', 'completed', 'paused_out_of_range', 'scheduled'])(
    'returns refused while the campaign is %s',
    async (status) => {
      const { callId, campaignId } = await granted();
      await engine.set(campaignId, { status });
      expect(await engine.begin(callId)).toEqual({ kind: 'refused' });
      expect((await engine.call(callId)).stage).toBe('granted');
    },
  );

  test('returns refused from the millisecond at which dialling must stop, and not before', async () => {
    const early = await granted();
    engine.now = START + 60 * MINUTE_MS - 1;
    expect((await engine.begin(early.callId)).kind).toBe('ask');
    engine.now = START;
    const late = await granted();
    engine.now = START + 60 * MINUTE_MS;
    expect(await engine.begin(late.callId)).toEqual({ kind: 'refused' });
  });

  test('returns waiting for a call without a line, and unknown for an unknown call', async () => {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [claimed] = (await engine.claim(campaignId)).claimed;
    expect(await engine.begin(claimed?.callId ?? '')).toEqual({ kind: 'waiting' });
    expect(await engine.begin('outbound-0-none')).toEqual({ kind: 'unknown' });
  });

  test('returns tooLate for a callback from the millisecond at which its window ends, and not before', async () => {
    const callId = await engine.dispatch(owner);
    const until = (ms: number) =>
      engine
        .db('calls')
        .where({ call_id: callId })
        .update({ dial_until: new Date(ms) });
    await until(engine.now);
    expect(await engine.begin(callId)).toEqual({ kind: 'tooLate' });
    await until(engine.now + 1);
    expect(await engine.begin(callId)).toMatchObject({ kind: 'ask' });
  });

  test('allows a dispatch, which has no campaign', async () => {
    const callId = await engine.dispatch(owner);
    engine.now += 24 * 60 * MINUTE_MS;
    expect(await engine.begin(callId)).toMatchObject({ kind: 'ask', attempt: 1 });
  });

  test('waits for a pause that is locking the campaign, and then returns refused', async () => {
    const { callId, campaignId } = await granted();
    const pausing = await engine.db.transaction();
    await pausing('campaigns').where({ id: campaignId }).update({ status: 'paused' });
    const beginning = engine.begin(callId);
    await pausing.commit();
    expect(await beginning).toEqual({ kind: 'refused' });
  });
});
