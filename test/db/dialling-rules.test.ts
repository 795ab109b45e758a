/** Tests that campaigns dial each contact only when its local window and all rule profiles allow it, and count attempts. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { campaignEndingActivities, campaignFeedingActivities } from '../../activities/campaigns/steps';
import type { ActivityDependencies } from '../../activities/dependencies';
import { diallingActivities } from '../../activities/dialling/dialling';
import type { DialStep } from '../../activities/dialling/dial-step';
import { decidedRules, decideDial } from '../../activities/dialling/rules';
import { startDial, type DialGuards } from '../../db/calls/engine';
import { numberHash } from '../../db/kernel/number-hash';
import { erasePerson } from '../../db/organizations/people';
import { forgetCaps } from '../../db/organizations/retention';
import { describeStep, nextStep, type CampaignStep } from '../../domain/campaign-step';
import { shippedProfile, type RuleProfile } from '../../domain/rules/profile';
import { describeWith } from '../servers/availability';
import { NO_GUARDS } from '../servers/no-guards';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';
import { violations } from './support/invariants';
import { RoomyCarrier, roomyDependencies } from './support/roomy-carrier';

/** A Tuesday. In New York it is 08:00, in Los Angeles 05:00, in India 17:30. */
const NOON = Date.parse('2026-11-03T13:00:00.000Z');
const HOUR_MS = 60 * MINUTE_MS;
const NEW_YORK = '+12125550100';
const LOS_ANGELES = '+12135550100';
const ALWAYS = shippedProfile('none');

describeWith('postgres', 'the rules of a campaign', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let carrier: RoomyCarrier;
  let deps: ActivityDependencies;

  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    engine.now = NOON;
    carrier = new RoomyCarrier(() => engine.now);
    deps = roomyDependencies(engine, carrier, []);
  });

  interface Terms {
    numbers?: string[];
    zone?: string | null;
    profile?: Partial<RuleProfile>;
    contacts?: Record<string, unknown>;
    campaign?: Record<string, unknown>;
  }

  /** Creates a campaign from 08:00 to 20:00 in the given zone, from 3 to 5 November. */
  async function campaign({ numbers, zone = 'contact', profile, contacts, campaign: more }: Terms = {}) {
    const phones = numbers ?? [NEW_YORK];
    const id = await engine.campaign(owner, { contacts: phones.length, concurrency: 5 });
    for (const [index, phone_number] of phones.entries())
      await engine
        .db('contacts')
        .where({ campaign_id: id, row_number: index + 2 })
        .update({ phone_number });
    if (contacts !== undefined) await engine.db('contacts').where({ campaign_id: id }).update(contacts);
    if (profile !== undefined) {
      await engine.db('rule_profiles').insert({
        organization_id: owner.organizationId,
        name: 'ours',
        profile: JSON.stringify({ ...ALWAYS, ...profile }),
        created_at: new Date(engine.now),
        updated_at: new Date(engine.now),
      });
    }
    await engine
      .db('campaigns')
      .where({ id })
      .update({
        window_timezone: zone,
        rule_profile: profile === undefined ? null : 'ours',
        start_minute: 480,
        end_minute: 1200,
        from_date: '2026-11-03',
        to_date: '2026-11-05',
        days_of_week: 'monday,tuesday,wednesday,thursday,friday',
        ...more,
      });
    return id;
  }

  async function stepOf(campaignId: string): Promise<CampaignStep> {
    const survey = await campaignFeedingActivities(deps).surveyCampaign({ campaignId, now: engine.now });
    if (survey === null) throw new Error('the campaign is gone');
    return nextStep(survey, engine.now);
  }

  /** Claims a page if the campaign dials, and returns the claimed calls. */
  async function claim(campaignId: string): Promise<string[]> {
    const { now } = engine;
    const feeding = campaignFeedingActivities(deps);
    const step = await stepOf(campaignId);
    if (step.kind !== 'feed') return [];
    const page = await feeding.claimPage({ campaignId, now, dialUntil: step.closesAt, limit: 100 });
    const callIds = page.claimed.map(({ callId }) => callId);
    await feeding.registerWaiting({ organizationId: owner.organizationId, callIds, now });
    return callIds;
  }

  const dial = (callId: string): Promise<DialStep> =>
    new MockActivityEnvironment().run(() => diallingActivities(deps).dial({ callId, now: engine.now }));

  async function dialAll(campaignId: string): Promise<DialStep[]> {
    const steps: DialStep[] = [];
    for (const callId of await claim(campaignId)) steps.push(await dial(callId));
    return steps;
  }

  const contactsOf = async (campaignId: string) =>
    (await engine.db('contacts').where({ campaign_id: campaignId }).orderBy('row_number')) as Record<
      string,
      any
    >[];

  /** Ends the contact's open call as not answered, so that it's redialled after the retry delay. */
  async function noAnswer(campaignId: string): Promise<void> {
    const [contact] = await contactsOf(campaignId);
    await engine.end(contact?.call_id as string, 'no_answer');
    await engine.conclude(campaignId);
  }

  test('claims only contacts whose local window is open, and wakes when the next one opens', async () => {
    const id = await campaign({ numbers: [LOS_ANGELES, NEW_YORK] });
    const step = await stepOf(id);
    expect(step).toMatchObject({ kind: 'feed', wakeAt: NOON + 3 * HOUR_MS });
    expect(describeStep(step)).toBe(
      'dialling; 1 contact in America/Los_Angeles opens at 2026-11-03 16:00 UTC, the window closes 2026-11-04 01:00 UTC',
    );
    expect(await dialAll(id)).toMatchObject([{ kind: 'placed' }]);
    expect((await contactsOf(id)).map(({ state }) => state as string)).toEqual(['pending', 'in_progress']);
    engine.now = NOON + 3 * HOUR_MS;
    expect(await dialAll(id)).toMatchObject([{ kind: 'placed' }]);
  });

  test("rests while no contact's window is open", async () => {
    const id = await campaign({ numbers: [LOS_ANGELES] });
    const step = await stepOf(id);
    expect(step).toMatchObject({
      kind: 'rest',
      status: 'paused_out_of_range',
      opensAt: NOON + 3 * HOUR_MS,
    });
    expect(describeStep(step)).toBe('1 contact in America/Los_Angeles opens at 2026-11-03 16:00 UTC');
  });

  test("uses the contact's own zone instead of that of its number", async () => {
    const id = await campaign({ numbers: [LOS_ANGELES], contacts: { timezone: 'America/New_York' } });
    expect(await dialAll(id)).toMatchObject([{ kind: 'placed' }]);
  });

  test('uses one zone for all contacts if the campaign names one', async () => {
    const id = await campaign({ numbers: [LOS_ANGELES], zone: 'Asia/Kolkata' });
    expect(await stepOf(id)).toMatchObject({
      kind: 'feed',
      closesAt: Date.parse('2026-11-03T14:30:00.000Z'),
    });
    expect(await dialAll(id)).toMatchObject([{ kind: 'placed' }]);
  });

  test('expires contacts once the last window of the last contact has closed', async () => {
    const id = await campaign({ numbers: [NEW_YORK, LOS_ANGELES] });
    // 20:00 on the last day in New York, 17:00 in Los Angeles.
    engine.now = Date.parse('2026-11-06T01:00:00.000Z');
    expect(await stepOf(id)).toMatchObject({ kind: 'feed' });
    engine.now = Date.parse('2026-11-06T04:00:00.000Z');
    expect(await stepOf(id)).toEqual({ kind: 'withdraw', why: 'over' });
    await campaignEndingActivities(deps).withdrawRest({ campaignId: id, why: 'over', now: engine.now });
    expect((await contactsOf(id)).map(({ state }) => state as string)).toEqual(['expired', 'expired']);
    expect(await violations(engine)).toEqual([]);
  });

  test('returns the line of a call whose window has closed since its claim, and uses up no attempt', async () => {
    const id = await campaign();
    const [callId = ''] = await claim(id);
    engine.now = Date.parse('2026-11-04T01:00:00.000Z');
    await engine
      .db('campaigns')
      .where({ id })
      .update({ dialing_until: new Date(engine.now + HOUR_MS) });
    expect(await dial(callId)).toEqual({ kind: 'over', callStatus: 'cancelled' });
    expect(carrier.done).not.toContain('dial');
    expect(await contactsOf(id)).toMatchObject([
      {
        state: 'pending',
        reason: 'window',
        attempts: 0,
        call_id: null,
        next_attempt_at: new Date('2026-11-04T13:00:00.000Z'),
      },
    ]);
    expect(await engine.linesOf(owner)).toEqual([]);
    expect(await dial(callId)).toEqual({ kind: 'over', callStatus: 'cancelled' });
    expect(await violations(engine)).toEqual([]);
    engine.now = Date.parse('2026-11-04T12:59:59.999Z');
    expect(await claim(id)).toEqual([]);
    engine.now += 1;
    const [again = ''] = await claim(id);
    expect(again).not.toBe(callId);
    expect(await dial(again)).toMatchObject({ kind: 'placed' });
  });

  test("cuts the time in which the carrier may place the call at the end of the contact's window", async () => {
    const id = await campaign();
    engine.now = Date.parse('2026-11-04T00:59:59.000Z');
    const [callId = ''] = await claim(id);
    await engine
      .db('campaigns')
      .where({ id })
      .update({ dialing_until: new Date(engine.now + HOUR_MS) });
    await dial(callId);
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
    const id = await campaign({ profile: {} });
    const [callId = ''] = await claim(id);
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

  test.each([
    ['max_per_day', { max_per_day: 1 }, '2026-11-04T13:00:00.000Z'],
    ['max_per_7_days', { max_per_7_days: 1 }, null],
    ['min_gap', { min_gap_minutes: 120 }, '2026-11-03T15:00:00.000Z'],
  ])('counts the attempts of all campaigns to a number for %s', async (rule, profile, allowedAt) => {
    const first = await campaign();
    expect(await dialAll(first)).toMatchObject([{ kind: 'placed' }]);
    await noAnswer(first);
    const id = await campaign({ profile });
    expect(await dialAll(id)).toEqual([{ kind: 'over', callStatus: 'cancelled' }]);
    expect(await contactsOf(id)).toMatchObject([
      allowedAt === null
        ? { state: 'invalid', reason: rule }
        : { state: 'pending', reason: rule, next_attempt_at: new Date(allowedAt) },
    ]);
    expect(await violations(engine)).toEqual([]);
  });

  test('counts the attempts to a number for seven days after its person was erased', async () => {
    const first = await campaign();
    await dialAll(first);
    await noAnswer(first);
    const [key = Buffer.alloc(0)] = deps.settings.callbacks.hashKeys;
    const hashOf = (organizationId: string, number: string) => numberHash(key, organizationId, number);
    await engine.db.transaction((trx) =>
      erasePerson(
        trx,
        owner.organizationId,
        { number: NEW_YORK, spellings: [] },
        { now: engine.now, hashOf },
      ),
    );
    const kept = () => engine.db('erased_attempts').where({ organization_id: owner.organizationId });
    expect(await kept()).toHaveLength(1);
    expect(JSON.stringify(await kept())).not.toContain('2125550100');
    const id = await campaign({ profile: { max_per_day: 1 } });
    expect(await dialAll(id)).toEqual([{ kind: 'over', callStatus: 'cancelled' }]);
    expect(await contactsOf(id)).toMatchObject([{ state: 'pending', reason: 'max_per_day' }]);
    await forgetCaps(engine.db, engine.now + 7 * 24 * HOUR_MS + 1);
    expect(await kept()).toEqual([]);
  });

  test("doesn't count a dial that the carrier stated as not placed", async () => {
    carrier.answer = { kind: 'notPlaced', retryAfterMs: null };
    const id = await campaign({ profile: { max_per_day: 1 } });
    const [callId = ''] = await claim(id);
    expect(await dial(callId)).toMatchObject({ kind: 'unavailable' });
    carrier.answer = { kind: 'placed', carrierId: 'room' };
    expect(await dial(callId)).toMatchObject({ kind: 'placed' });
  });

  test.each([
    ['consent', { profile: { consent: 'required' } as const }],
    ['zone_unknown', { numbers: ['+881612345678'] }],
  ])('ends a contact as invalid with the name of the rule that never allows it: %s', async (rule, terms) => {
    const id = await campaign(terms);
    expect(await dialAll(id)).toEqual([{ kind: 'over', callStatus: 'cancelled' }]);
    expect(await contactsOf(id)).toMatchObject([{ state: 'invalid', reason: rule, attempts: 0 }]);
    expect(await engine.campaignRow(id)).toMatchObject({ failed_contacts: 1, in_progress_contacts: 0 });
    expect(await stepOf(id)).toEqual({ kind: 'finish' });
    expect(await violations(engine)).toEqual([]);
  });

  test('dials a contact that has consented if a profile requires consent', async () => {
    const contacts = { consent_at: new Date(NOON - HOUR_MS) };
    const id = await campaign({ profile: { consent: 'required' }, contacts });
    expect(await dialAll(id)).toMatchObject([{ kind: 'placed' }]);
  });

  const callerIds = (numbers: string[]) =>
    engine
      .db('agent_configs')
      .where({ agent_id: owner.agentId })
      .update({ config: JSON.stringify({ deployment: { phone: { call_type: { Outbound: numbers } } } }) });

  test('shows only caller IDs with the prefix that a profile requires', async () => {
    await callerIds(['+918000000001', '+911400000001']);
    const id = await campaign({
      profile: { caller_id_prefixes: ['+91140'] },
      numbers: [NEW_YORK, '+12125550101'],
    });
    expect(await dialAll(id)).toMatchObject([{ kind: 'placed' }, { kind: 'placed' }]);
    expect(carrier.callerIds).toEqual(['+911400000001', '+911400000001']);
  });

  test.each([[['+918000000001']], [[]]])(
    'pauses the campaign with the reason if no caller ID has the required prefix: %j',
    async (numbers) => {
      await callerIds(numbers);
      const id = await campaign({ profile: { caller_id_prefixes: ['+91140', '+91160'] } });
      expect(await dialAll(id)).toEqual([{ kind: 'noLine' }]);
      expect(carrier.done).not.toContain('dial');
      expect(await engine.campaignRow(id)).toMatchObject({
        status: 'paused',
        status_reason: expect.stringContaining('require one that begins with +91140 or +91160'),
      });
    },
  );

  test('sends the disclosure that a profile demands before the greeting', async () => {
    const id = await campaign({ profile: { disclosure: 'This is an automated call.' } });
    await dialAll(id);
    expect(carrier.greetings).toEqual([expect.stringMatching(/^This is an automated call\./)]);
  });

  test.each(['organization', 'operator'])('obeys the profile of the %s', async (whose) => {
    const id = await campaign({
      numbers: [NEW_YORK],
      zone: null,
      campaign: { start_minute: 0, end_minute: 1440 },
    });
    // us-tcpa requires consent.
    if (whose === 'organization')
      await engine
        .db('organizations')
        .where({ id: owner.organizationId })
        .update({ rule_profile: 'us-tcpa' });
    else {
      deps.settings.ruleProfile = shippedProfile('us-tcpa');
      deps.settings.dialGuards = { ...deps.settings.dialGuards, hasOperatorProfile: true };
    }
    expect(await dialAll(id)).toEqual([{ kind: 'over', callStatus: 'cancelled' }]);
    expect(await contactsOf(id)).toMatchObject([{ state: 'invalid', reason: 'consent' }]);
  });

  test.each([
    [false, { kind: 'placed' }],
    [true, { kind: 'over', callStatus: 'cancelled' }],
  ])(
    "applies the operator's profile to dispatched calls only if set: %s",
    async (rulesForDispatches, step) => {
      deps.settings.ruleProfile = shippedProfile('us-tcpa');
      deps.settings.dialGuards = {
        ...deps.settings.dialGuards,
        hasOperatorProfile: true,
        rulesForDispatches,
      };
      const callId = await engine.dispatch(owner, { toNumber: NEW_YORK });
      expect(await dial(callId)).toMatchObject(step);
    },
  );

  test('lets a callback without a campaign wait in its own workflow until the profile allows it', async () => {
    await engine.db('organizations').where({ id: owner.organizationId }).update({ rule_profile: 'us-reg-f' });
    const callId = await engine.dispatch(owner, { toNumber: LOS_ANGELES });
    await engine.db('calls').where({ call_id: callId }).update({ callback_of: 'another call' });
    const at = NOON + 3 * HOUR_MS;
    expect(await dial(callId)).toEqual({ kind: 'notYet', at });
    expect(await engine.linesOf(owner)).toEqual([]);
    expect(await dial(callId)).toEqual({ kind: 'notYet', at });
    engine.now = at;
    await engine.register(owner, [callId]);
    expect(await dial(callId)).toMatchObject({ kind: 'placed' });
  });
});
