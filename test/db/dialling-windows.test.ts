/** Tests that campaigns dial each contact only within its local window. */
import { campaignEndingActivities } from '../../activities/campaigns/steps';
import { decidedRules, decideDial } from '../../activities/dialling/rules';
import { startDial, type DialGuards } from '../../db/calls/engine';
import { describeStep } from '../../domain/campaign-step';
import { describeWith } from '../servers/availability';
import { NO_GUARDS } from '../servers/no-guards';
import { EngineDatabase } from './support/engine-database';
import { violations } from './support/invariants';
import { ALWAYS, HOUR_MS, LOS_ANGELES, NEW_YORK, NOON, RuledCampaigns } from './support/ruled-campaigns';

describeWith('postgres', 'the local window of a campaign', () => {
  let engine: EngineDatabase;
  let rules: RuledCampaigns;

  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    rules = await RuledCampaigns.open(engine);
  });

  test('claims only contacts whose local window is open, and wakes when the next one opens', async () => {
    const id = await rules.campaign({ numbers: [LOS_ANGELES, NEW_YORK] });
    const step = await rules.stepOf(id);
    expect(step).toMatchObject({ kind: 'feed', wakeAt: NOON + 3 * HOUR_MS });
    expect(describeStep(step)).toBe(
      'dialling; 1 contact in America/Los_Angeles opens at 2026-11-03 16:00 UTC, the window closes 2026-11-04 01:00 UTC',
    );
    expect(await rules.dialAll(id)).toMatchObject([{ kind: 'placed' }]);
    expect((await rules.contacts(id)).map(({ state }) => state as string)).toEqual([
      'pending',
      'in_progress',
    ]);
    engine.now = NOON + 3 * HOUR_MS;
    expect(await rules.dialAll(id)).toMatchObject([{ kind: 'placed' }]);
  });

  test("rests while no contact's window is open", async () => {
    const id = await rules.campaign({ numbers: [LOS_ANGELES] });
    const step = await rules.stepOf(id);
    expect(step).toMatchObject({
      kind: 'rest',
      status: 'paused_out_of_range',
      opensAt: NOON + 3 * HOUR_MS,
    });
    expect(describeStep(step)).toBe('1 contact in America/Los_Angeles opens at 2026-11-03 16:00 UTC');
  });

  test("uses the contact's own zone instead of that of its number", async () => {
    const id = await rules.campaign({ numbers: [LOS_ANGELES], contacts: { timezone: 'America/New_York' } });
    expect(await rules.dialAll(id)).toMatchObject([{ kind: 'placed' }]);
  });

  test('uses one zone for all contacts if the campaign names one', async () => {
    const id = await rules.campaign({ numbers: [LOS_ANGELES], zone: 'Asia/Kolkata' });
    expect(await rules.stepOf(id)).toMatchObject({
      kind: 'feed',
      closesAt: Date.parse('2026-11-03T14:30:00.000Z'),
    });
    expect(await rules.dialAll(id)).toMatchObject([{ kind: 'placed' }]);
  });

  test('expires contacts once the last window of the last contact has closed', async () => {
    const id = await rules.campaign({ numbers: [NEW_YORK, LOS_ANGELES] });
    // 20:00 on the last day in New York, 17:00 in Los Angeles.
    engine.now = Date.parse('2026-11-06T01:00:00.000Z');
    expect(await rules.stepOf(id)).toMatchObject({ kind: 'feed' });
    engine.now = Date.parse('2026-11-06T04:00:00.000Z');
    expect(await rules.stepOf(id)).toEqual({ kind: 'withdraw', why: 'over' });
    await campaignEndingActivities(rules.deps).withdrawRest({ campaignId: id, why: 'over', now: engine.now });
    expect((await rules.contacts(id)).map(({ state }) => state as string)).toEqual(['expired', 'expired']);
    expect(await violations(engine)).toEqual([]);
  });

  test('waits for a campaign whose first day is more than 400 days ahead', async () => {
    const id = await rules.campaign({ campaign: { from_date: '2028-06-01', to_date: '2028-06-05' } });
    expect(await rules.stepOf(id)).toMatchObject({
      kind: 'rest',
      status: 'scheduled',
      opensAt: Date.parse('2028-05-31T00:00:00.000Z'),
    });
    engine.now = Date.parse('2028-05-31T00:00:00.000Z');
    expect(await rules.stepOf(id)).toMatchObject({ opensAt: Date.parse('2028-06-01T12:00:00.000Z') });
  });

  test('finds contacts in any spelling of a time zone by one key', async () => {
    const id = await rules.campaign({
      numbers: [NEW_YORK, '+12125550101'],
      contacts: { timezone: 'america/NEW_york' },
    });
    await engine
      .db('contacts')
      .where({ campaign_id: id, row_number: 2 })
      .update({ timezone: 'AMERICA/new_York' });
    expect(await rules.claim(id)).toHaveLength(2);
    expect((await engine.campaignRow(id)).zone_keys).toEqual(['', 'America/New_York']);
  });

  test('ends a contact by the rule that never allows it even if its window is closed too', async () => {
    const id = await rules.campaign({ profile: { consent: 'required' } });
    const [callId = ''] = await rules.claim(id);
    engine.now = Date.parse('2026-11-04T01:00:00.000Z');
    await engine.set(id, { dialing_until: new Date(engine.now + HOUR_MS) });
    await rules.dial(callId);
    expect(await rules.contacts(id)).toMatchObject([{ state: 'invalid', reason: 'consent' }]);
  });

  test('keeps contacts without a zone until the window of their campaign opens', async () => {
    const id = await rules.campaign({ numbers: ['+881612345678'], zone: 'Asia/Kolkata', profile: {} });
    engine.now = Date.parse('2026-11-03T20:00:00.000Z');
    expect(await rules.stepOf(id)).toMatchObject({
      kind: 'rest',
      opensAt: Date.parse('2026-11-04T02:30:00.000Z'),
    });
  });

  test('returns the line of a call whose window has closed since its claim, and uses up no attempt', async () => {
    const id = await rules.campaign();
    const [callId = ''] = await rules.claim(id);
    engine.now = Date.parse('2026-11-04T01:00:00.000Z');
    await engine.set(id, { dialing_until: new Date(engine.now + HOUR_MS) });
    expect(await rules.dial(callId)).toEqual({ kind: 'over', callStatus: 'cancelled' });
    expect(rules.carrier.done).not.toContain('dial');
    expect(await rules.contacts(id)).toMatchObject([
      {
        state: 'pending',
        reason: 'window',
        attempts: 0,
        call_id: null,
        next_attempt_at: new Date('2026-11-04T13:00:00.000Z'),
      },
    ]);
    expect(await engine.linesOf(rules.owner)).toEqual([]);
    expect(await rules.dial(callId)).toEqual({ kind: 'over', callStatus: 'cancelled' });
    expect(await violations(engine)).toEqual([]);
    engine.now = Date.parse('2026-11-04T12:59:59.999Z');
    expect(await rules.claim(id)).toEqual([]);
    engine.now += 1;
    const [again = ''] = await rules.claim(id);
    expect(again).not.toBe(callId);
    expect(await rules.dial(again)).toMatchObject({ kind: 'placed' });
  });

  test("cuts the time in which the carrier may place the call at the end of the contact's window", async () => {
    const id = await rules.campaign();
    engine.now = Date.parse('2026-11-04T00:59:59.000Z');
    const [callId = ''] = await rules.claim(id);
    await engine.set(id, { dialing_until: new Date(engine.now + HOUR_MS) });
    await rules.dial(callId);
    const row = await engine.db('calls').where({ call_id: callId }).first();
    expect(row.not_after).toEqual(new Date('2026-11-04T01:00:00.000Z'));
  });

  test.each([
    [
      'a profile',
      () => engine.db('rule_profiles').update({ profile: JSON.stringify({ ...ALWAYS, max_per_day: 0 }) }),
    ],
    ['the window', () => engine.db('campaigns').update({ end_minute: 1_199 })],
    ['the zone of the window', () => engine.db('campaigns').update({ window_timezone: 'Asia/Kolkata' })],
  ])('writes no intent if %s changes between the decision and the dial', async (_what, change) => {
    const id = await rules.campaign({ profile: {} });
    const [callId = ''] = await rules.claim(id);
    const now = engine.now;
    const start = (guards: Partial<DialGuards> = {}) =>
      startDial(engine.db, callId, { now, notAfter: now + 3_000, guards: { ...NO_GUARDS, ...guards } });
    const question = await start();
    if (question.kind !== 'askRules') throw new Error(`start_dial returned ${question.kind}`);
    const decision = decideDial(question, null, now);
    if (!decision.isAllowed) throw new Error('the rules refused the dial');
    const decided = decidedRules(question, decision);
    await change();
    expect(await start({ decided })).toMatchObject({ kind: 'askRules' });
    expect(await engine.stageOf(callId)).toBe('granted');
  });
});
