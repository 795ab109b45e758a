import { storeVersion } from '../../db/agents/agents';
import { isCarrierBeingAsked } from '../../db/calls/asked-calls';
import { callState, recordNotPlaced } from '../../db/calls/engine';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START, type Owner } from './support/engine-database';

describeWith('postgres', 'the last check before the carrier is asked', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });

  /** A campaign's call that holds a line. */
  async function granted(): Promise<{ campaignId: string; callId: string }> {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [callId] = (await engine.feed(owner, campaignId)).granted;
    if (callId === undefined) throw new Error('no line was granted');
    return { campaignId, callId };
  }

  test('writes the intent and returns what to ask for', async () => {
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
      stage: 'asking',
      call_status: 'dialing',
      asked_at: new Date(START),
      not_after: new Date(START + 3_000),
      asked_until: new Date(START + 3_200),
    });
    expect((await engine.contacts(campaignId))[0]?.state).toBe('in_progress');
    expect((await engine.sums(campaignId)).inProgress).toBe(1);
  });

  test('is under way until it is seen, or no phone can ring for it any more', async () => {
    const { callId, campaignId } = await granted();
    const asked = (at: number) =>
      Promise.all([{ callId }, { campaignId }].map((of) => isCarrierBeingAsked(engine.db, of, START + at)));
    expect(await asked(0)).toEqual([false, false]);
    await engine.begin(callId, { settlesMs: 75_000 });
    expect([await asked(0), await asked(74_999)]).toEqual(Array(2).fill([true, true]));
    expect(await asked(75_000)).toEqual([false, false]);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    expect(await asked(0)).toEqual([false, false]);
  });

  test('may not be taken up after the window has closed, however late the carrier takes it up', async () => {
    const { callId, campaignId } = await granted();
    await engine.set(campaignId, { dialing_until: new Date(START + 1_000) });
    const start = await engine.begin(callId);
    expect(start.kind === 'ask' && Date.parse(start.notAfter)).toBe(START + 1_000);
    expect((await engine.call(callId)).not_after).toEqual(new Date(START + 1_000));
  });

  test('asks with the version of the agent that the call was made with', async () => {
    const { callId } = await granted();
    const { agentId } = owner;
    await storeVersion(engine.db, { agentId, config: { new: true }, status: 'running', now: START });
    expect(await engine.begin(callId)).toMatchObject({
      config: { persona: { identity: { system_prompt: 'Talk.' } } },
    });
  });

  test('a second time, answers that it was asked, and until when', async () => {
    const { callId, campaignId } = await granted();
    await engine.begin(callId);
    engine.now += 1_000;
    const again = await engine.begin(callId);
    expect(again.kind === 'asked' && Date.parse(again.notAfter)).toBe(START + 3_000);
    expect((await engine.sums(campaignId)).inProgress).toBe(1);
  });

  test('ten times at once asks once', async () => {
    const { callId } = await granted();
    const starts = await Promise.all(Array.from({ length: 10 }, () => engine.begin(callId)));
    expect(starts.map(({ kind }) => kind).sort()).toEqual(['ask', ...Array<string>(9).fill('asked')]);
  });

  test('answers the carrier id of a placed call and the status of one that is over', async () => {
    const { callId } = await granted();
    await engine.dial(callId);
    expect(await engine.begin(callId)).toEqual({ kind: 'placed', carrierId: `sim-${callId}` });
    await engine.end(callId, 'busy');
    expect(await engine.begin(callId)).toEqual({ kind: 'over', callStatus: 'busy' });
  });

  test('a call that was not placed may ask again, and counts as one contact in progress', async () => {
    const { callId, campaignId } = await granted();
    await engine.begin(callId);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    expect(await callState(engine.db, callId)).toMatchObject({ stage: 'granted', notAfter: null });
    expect((await engine.begin(callId)).kind).toBe('ask');
    expect((await engine.sums(campaignId)).inProgress).toBe(1);
  });

  test('not placed says nothing about a call that is placed by now', async () => {
    const { callId } = await granted();
    await engine.dial(callId);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    expect((await engine.call(callId)).stage).toBe('placed');
  });

  test('not placed, reported late of an earlier request, does not undo the intent of a later one', async () => {
    const { callId } = await granted();
    await engine.begin(callId);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    engine.now += 7_000;
    await engine.begin(callId);
    await recordNotPlaced(engine.db, callId, START + 3_000);
    expect((await engine.call(callId)).stage).toBe('asking');
  });

  test.each(['paused', 'cancelled', 'completed', 'paused_out_of_range', 'scheduled'])(
    'refuses while the campaign is %s',
    async (status) => {
      const { callId, campaignId } = await granted();
      await engine.set(campaignId, { status });
      expect(await engine.begin(callId)).toEqual({ kind: 'refused' });
      expect((await engine.call(callId)).stage).toBe('granted');
    },
  );

  test('refuses at the instant at which dialling must stop, and not a millisecond before', async () => {
    const early = await granted();
    engine.now = START + 60 * MINUTE_MS - 1;
    expect((await engine.begin(early.callId)).kind).toBe('ask');
    engine.now = START;
    const late = await granted();
    engine.now = START + 60 * MINUTE_MS;
    expect(await engine.begin(late.callId)).toEqual({ kind: 'refused' });
  });

  test('a call without a line waits, an unknown one is unknown', async () => {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [claimed] = (await engine.claim(campaignId)).claimed;
    expect(await engine.begin(claimed?.callId ?? '')).toEqual({ kind: 'waiting' });
    expect(await engine.begin('outbound-0-none')).toEqual({ kind: 'unknown' });
  });

  test('of a callback past the end of its window is too late, and not a millisecond before', async () => {
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

  test("a dispatch needs no campaign's leave", async () => {
    const callId = await engine.dispatch(owner);
    engine.now += 24 * 60 * MINUTE_MS;
    expect(await engine.begin(callId)).toMatchObject({ kind: 'ask', attempt: 1 });
  });

  test('a pause that holds the campaign is waited for, and then refuses', async () => {
    const { callId, campaignId } = await granted();
    const pausing = await engine.db.transaction();
    await pausing('campaigns').where({ id: campaignId }).update({ status: 'paused' });
    const beginning = engine.begin(callId);
    await pausing.commit();
    expect(await beginning).toEqual({ kind: 'refused' });
  });
});
