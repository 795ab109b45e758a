/** Tests that campaigns and callbacks obey rule profiles: caps, consent, caller IDs and disclosures. */
import { numberHash } from '../../db/kernel/number-hash';
import { erasePerson } from '../../db/organizations/people';
import { forgetCaps } from '../../db/organizations/retention';
import { shippedProfile } from '../../domain/rules/profile';
import { describeWith } from '../servers/availability';
import { EngineDatabase } from './support/engine-database';
import { violations } from './support/invariants';
import { HOUR_MS, LOS_ANGELES, NEW_YORK, NOON, RuledCampaigns } from './support/ruled-campaigns';

describeWith('postgres', 'the rule profiles of a campaign', () => {
  let engine: EngineDatabase;
  let rules: RuledCampaigns;

  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    rules = await RuledCampaigns.open(engine);
  });

  test.each([
    ['max_per_day', { max_per_day: 1 }, '2026-11-04T13:00:00.000Z'],
    ['max_per_7_days', { max_per_7_days: 1 }, null],
    ['min_gap', { min_gap_minutes: 120 }, '2026-11-03T15:00:00.000Z'],
  ])('counts the attempts of all campaigns to a number for %s', async (rule, profile, allowedAt) => {
    const first = await rules.campaign();
    expect(await rules.dialAll(first)).toMatchObject([{ kind: 'placed' }]);
    await rules.noAnswer(first);
    const id = await rules.campaign({ profile });
    expect(await rules.dialAll(id)).toEqual([{ kind: 'over', callStatus: 'cancelled' }]);
    expect(await rules.contacts(id)).toMatchObject([
      allowedAt === null
        ? { state: 'invalid', reason: rule }
        : { state: 'pending', reason: rule, next_attempt_at: new Date(allowedAt) },
    ]);
    expect(await violations(engine)).toEqual([]);
  });

  test('counts the attempts to a number for seven days after its person was erased', async () => {
    const first = await rules.campaign();
    await rules.dialAll(first);
    await rules.noAnswer(first);
    const [key = Buffer.alloc(0)] = rules.deps.settings.callbacks.hashKeys;
    const hashOf = (organizationId: string, number: string) => numberHash(key, organizationId, number);
    await engine.db.transaction((trx) =>
      erasePerson(
        trx,
        rules.owner.organizationId,
        { number: NEW_YORK, spellings: [] },
        { now: engine.now, hashOf },
      ),
    );
    const kept = () => engine.db('erased_attempts').where({ organization_id: rules.owner.organizationId });
    expect(await kept()).toHaveLength(1);
    expect(JSON.stringify(await kept())).not.toContain('2125550100');
    const id = await rules.campaign({ profile: { max_per_day: 1 } });
    expect(await rules.dialAll(id)).toEqual([{ kind: 'over', callStatus: 'cancelled' }]);
    expect(await rules.contacts(id)).toMatchObject([{ state: 'pending', reason: 'max_per_day' }]);
    await forgetCaps(engine.db, engine.now + 7 * 24 * HOUR_MS + 1);
    expect(await kept()).toEqual([]);
  });

  test("doesn't count a dial that the carrier stated as not placed", async () => {
    rules.carrier.answer = { kind: 'notPlaced', retryAfterMs: null };
    const id = await rules.campaign({ profile: { max_per_day: 1 } });
    const [callId = ''] = await rules.claim(id);
    expect(await rules.dial(callId)).toMatchObject({ kind: 'unavailable' });
    rules.carrier.answer = { kind: 'placed', carrierId: 'room' };
    expect(await rules.dial(callId)).toMatchObject({ kind: 'placed' });
  });

  test.each([
    ['consent', { profile: { consent: 'required' } as const }],
    ['zone_unknown', { numbers: ['+881612345678'] }],
  ])('ends a contact as invalid with the name of the rule that never allows it: %s', async (rule, terms) => {
    const id = await rules.campaign(terms);
    expect(await rules.dialAll(id)).toEqual([{ kind: 'over', callStatus: 'cancelled' }]);
    expect(await rules.contacts(id)).toMatchObject([{ state: 'invalid', reason: rule, attempts: 0 }]);
    expect(await engine.campaignRow(id)).toMatchObject({ failed_contacts: 1, in_progress_contacts: 0 });
    expect(await rules.stepOf(id)).toEqual({ kind: 'finish' });
    expect(await violations(engine)).toEqual([]);
  });

  test('dials a contact that has consented if a profile requires consent', async () => {
    const contacts = { consent_at: new Date(NOON - HOUR_MS) };
    const id = await rules.campaign({ profile: { consent: 'required' }, contacts });
    expect(await rules.dialAll(id)).toMatchObject([{ kind: 'placed' }]);
  });

  const callerIds = (numbers: string[]) =>
    engine
      .db('agent_configs')
      .where({ agent_id: rules.owner.agentId })
      .update({ config: JSON.stringify({ deployment: { phone: { call_type: { Outbound: numbers } } } }) });

  test('shows only caller IDs with the prefix that a profile requires', async () => {
    await callerIds(['+918000000001', '+911400000001']);
    const id = await rules.campaign({
      profile: { caller_id_prefixes: ['+91140'] },
      numbers: [NEW_YORK, '+12125550101'],
    });
    expect(await rules.dialAll(id)).toMatchObject([{ kind: 'placed' }, { kind: 'placed' }]);
    expect(rules.carrier.callerIds).toEqual(['+911400000001', '+911400000001']);
  });

  test.each([[['+918000000001']], [[]]])(
    'pauses the campaign with the reason if no caller ID has the required prefix: %j',
    async (numbers) => {
      await callerIds(numbers);
      const id = await rules.campaign({ profile: { caller_id_prefixes: ['+91140', '+91160'] } });
      expect(await rules.dialAll(id)).toEqual([{ kind: 'noLine' }]);
      expect(rules.carrier.done).not.toContain('dial');
      expect(await engine.campaignRow(id)).toMatchObject({
        status: 'paused',
        status_reason: expect.stringContaining('require one that begins with +91140 or +91160'),
      });
    },
  );

  test('sends the disclosure that a profile demands before the greeting', async () => {
    const id = await rules.campaign({ profile: { disclosure: 'This is an automated call.' } });
    await rules.dialAll(id);
    expect(rules.carrier.greetings).toEqual([expect.stringMatching(/^This is an automated call\./)]);
  });

  test.each(['organization', 'operator'])('obeys the profile of the %s', async (whose) => {
    const id = await rules.campaign({
      numbers: [NEW_YORK],
      zone: null,
      campaign: { start_minute: 0, end_minute: 1440 },
    });
    // us-tcpa requires consent.
    if (whose === 'organization')
      await engine
        .db('organizations')
        .where({ id: rules.owner.organizationId })
        .update({ rule_profile: 'us-tcpa' });
    else {
      rules.deps.settings.ruleProfile = shippedProfile('us-tcpa');
      rules.deps.settings.dialGuards = { ...rules.deps.settings.dialGuards, hasOperatorProfile: true };
    }
    expect(await rules.dialAll(id)).toEqual([{ kind: 'over', callStatus: 'cancelled' }]);
    expect(await rules.contacts(id)).toMatchObject([{ state: 'invalid', reason: 'consent' }]);
  });

  test.each([
    [false, { kind: 'placed' }],
    [true, { kind: 'over', callStatus: 'cancelled' }],
  ])(
    "applies the operator's profile to dispatched calls only if set: %s",
    async (rulesForDispatches, step) => {
      rules.deps.settings.ruleProfile = shippedProfile('us-tcpa');
      rules.deps.settings.dialGuards = {
        ...rules.deps.settings.dialGuards,
        hasOperatorProfile: true,
        rulesForDispatches,
      };
      const callId = await engine.dispatch(rules.owner, { toNumber: NEW_YORK });
      expect(await rules.dial(callId)).toMatchObject(step);
    },
  );

  test('lets a callback without a campaign wait in its own workflow until the profile allows it', async () => {
    await engine
      .db('organizations')
      .where({ id: rules.owner.organizationId })
      .update({ rule_profile: 'us-reg-f' });
    const callId = await engine.dispatch(rules.owner, { toNumber: LOS_ANGELES });
    await engine.db('calls').where({ call_id: callId }).update({ callback_of: 'another call' });
    const at = NOON + 3 * HOUR_MS;
    expect(await rules.dial(callId)).toEqual({ kind: 'notYet', at });
    expect(await engine.linesOf(rules.owner)).toEqual([]);
    expect(await rules.dial(callId)).toEqual({ kind: 'notYet', at });
    engine.now = at;
    await engine.register(rules.owner, [callId]);
    expect(await rules.dial(callId)).toMatchObject({ kind: 'placed' });
  });
});
