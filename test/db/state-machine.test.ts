/** Tests the engine's own changes of a campaign from every status (`test/api/state-machine/table.ts`). */
import { tripBreaker } from '../../activities/campaigns/breakers';
import { campaignEndingActivities, campaignFeedingActivities } from '../../activities/campaigns/steps';
import { ROUTINE } from '../../activities/reconciliation/pass';
import type { Breaker } from '../../domain/breakers';
import type { CampaignStatus } from '../../domain/campaign-status';
import { nextStep } from '../../domain/campaign-step';
import { LAST_REPORTED, ENGINE, FROM_WITHIN, STATUSES, type Situation } from '../api/state-machine/table';
import { describeWith } from '../servers/availability';
import { DIAL_SETTINGS } from '../servers/dial-settings';
import { EngineDatabase, MINUTE_MS, START, type Owner } from './support/engine-database';
import { violations } from './support/invariants';
import { makePass } from './support/make-pass';

/** The campaign runs on Mondays 2 and 9 November 2026, from 04:00 to 10:30 UTC. */
const INSTANTS: Record<Situation, number> = {
  'before its first day': Date.parse('2026-11-01T23:59:59.999Z'),
  'window open': START,
  'window closed': Date.parse('2026-11-02T10:30:00.000Z'),
  'past its last day': Date.parse('2026-11-09T10:30:00.000Z'),
  'nothing left': START,
};

describeWith('postgres', 'the engine', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });

  const deps = (): any => ({
    db: engine.db,
    signals: { getHandle: () => ({ signal: () => Promise.resolve() }) },
    log: { info: () => undefined, warn: () => undefined },
    clock: () => engine.now,
    mail: null,
    settings: DIAL_SETTINGS,
    startedAt: engine.now,
    lateness: ROUTINE,
    hasTime: () => true,
    workflows: { state: () => Promise.resolve('closed'), startOnce: () => Promise.resolve() },
  });

  /** Returns a campaign whose first call was granted a line in an open window before the campaign got the status. */
  async function inStatus(status: CampaignStatus, hasContacts: boolean) {
    const campaignId = await engine.campaign(owner, {
      contacts: 2,
      concurrency: 1,
      webhookUrl: 'https://example.com/hook',
      toDate: '2026-11-09',
    });
    const { granted } = await engine.feed(owner, campaignId);
    if (!hasContacts) await endEverything(campaignId);
    const isResting = status === 'scheduled' || status === 'paused_out_of_range';
    await engine.set(campaignId, {
      status,
      reported_status: LAST_REPORTED[status],
      ...(isResting && { dialing_until: null }),
      ...(status === 'completed' && { ended_at: new Date(START) }),
    });
    return { campaignId, granted: granted[0] ?? '' };
  }

  async function endEverything(campaignId: string): Promise<void> {
    for (const { callId } of await engine.contacts(campaignId)) {
      await engine.dial(callId ?? '');
      await engine.end(callId ?? '', 'agent');
    }
    await engine.conclude(campaignId);
  }

  /** Runs the steps of the workflow until it waits. */
  async function runSteps(campaignId: string): Promise<void> {
    const feeding = campaignFeedingActivities(deps());
    const ending = campaignEndingActivities(deps());
    const { now } = engine;
    for (;;) {
      const survey = await feeding.surveyCampaign({ campaignId, now });
      if (survey === null) throw new Error('the campaign is gone');
      const step = nextStep(survey, now);
      switch (step.kind) {
        case 'feed': {
          const page = await feeding.claimPage({ campaignId, now, dialUntil: step.closesAt, limit: 10 });
          const callIds = page.claimed.map(({ callId }) => callId);
          return feeding.registerWaiting({ organizationId: owner.organizationId, callIds, now });
        }
        case 'rest':
          return feeding.restCampaign({
            campaignId,
            status: step.status,
            reason: 'the window opens later',
            now,
          });
        case 'hold':
        case 'drain':
          return;
        case 'withdraw':
          await ending.withdrawRest({ campaignId, why: step.why, now });
          break;
        case 'finish':
          await ending.finishCampaign({ campaignId, now });
          return;
      }
    }
  }

  async function outcome(campaignId: string, granted: string) {
    const { status } = await engine.campaignRow(campaignId);
    const written: any[] = await engine.db('webhook_deliveries').where({ campaign_id: campaignId });
    return {
      next: status,
      webhooks: written
        .map(({ event, body }) => {
          const { old_status, new_status } = JSON.parse(body as string);
          return event === 'campaign.status_changed' ? `${old_status} → ${new_status}` : event;
        })
        .sort(),
      dials: (await engine.begin(granted)).kind === 'ask',
    };
  }

  const SITUATIONS = (Object.keys(ENGINE) as Situation[]).flatMap((situation) =>
    STATUSES.filter((status) => status !== 'completed' || situation === 'nothing left').map(
      (status) => [situation, status, ENGINE[situation][status]] as const,
    ),
  );

  test.each(SITUATIONS)('handles "%s" for a campaign that is %s', async (situation, status, expected) => {
    const hasContacts = situation !== 'nothing left';
    const { campaignId, granted } = await inStatus(status, hasContacts);
    engine.now = INSTANTS[situation];
    await runSteps(campaignId);
    const { webhooks } = expected;
    expect(await outcome(campaignId, granted)).toEqual({ ...expected, webhooks: [...webhooks].sort() });
    expect(await violations(engine)).toEqual([]);
    // Running the steps again without any event changes nothing.
    const before = await engine.campaignRow(campaignId);
    await runSteps(campaignId);
    expect({ ...(await engine.campaignRow(campaignId)), last_granted_at: null }).toEqual({
      ...before,
      last_granted_at: null,
    });
  });

  test("doesn't end a campaign with a live call, even if it is cancelled or past its last day", async () => {
    for (const [status, situation] of [
      ['cancelled', 'window open'],
      ['active', 'past its last day'],
    ] as const) {
      const { campaignId, granted } = await inStatus(status === 'active' ? status : 'active', true);
      await engine.dial(granted);
      await engine.set(campaignId, { status, reported_status: status });
      engine.now = INSTANTS[situation];
      await runSteps(campaignId);
      expect(await engine.campaignRow(campaignId)).toMatchObject({ status, ended_at: null });
      await engine.end(granted, 'agent');
      await runSteps(campaignId);
      // The finished call is not processed yet and may schedule a callback.
      expect((await engine.campaignRow(campaignId)).ended_at).toBeNull();
      await engine.conclude(campaignId);
      await runSteps(campaignId);
      expect((await engine.campaignRow(campaignId)).ended_at).not.toBeNull();
    }
  });

  const breaker: Breaker = { kind: 'campaign_spend', limit: 10, measured: 12 };
  const STOPS: Record<keyof typeof FROM_WITHIN, (campaignId: string) => Promise<void>> = {
    'a spend limit': (campaignId) =>
      tripBreaker(
        deps(),
        { kind: 'tripped', organizationId: owner.organizationId, campaignId, breaker },
        engine.now,
      ),
    'a spend limit of its organization': async (campaignId) => {
      const other = await engine.campaign(owner, { contacts: 1 });
      const organizationBrake = { ...breaker, kind: 'organization_spend' as const };
      await tripBreaker(
        deps(),
        {
          kind: 'tripped',
          organizationId: owner.organizationId,
          campaignId: other,
          breaker: organizationBrake,
        },
        engine.now,
      );
      expect((await engine.campaignRow(other)).status).toBe('paused');
      expect((await engine.campaignRow(campaignId)).status).not.toBe('active');
    },
    'cancelled in the Web UI': async (campaignId) => {
      await campaignFeedingActivities(deps()).surveyCampaign({ campaignId, now: engine.now, cancel: true });
    },
    'terminated in the Web UI': async (campaignId) => {
      await engine
        .db('campaigns')
        .whereNot({ id: campaignId })
        .update({ ended_at: new Date(START) });
      engine.now += MINUTE_MS;
      await makePass('repairCampaigns', deps());
    },
  };
  const STOP_CASES = (Object.keys(STOPS) as (keyof typeof FROM_WITHIN)[]).flatMap((name) =>
    STATUSES.map((status) => [name, status, FROM_WITHIN[name][status]] as const),
  );

  test.each(STOP_CASES)('handles the stop "%s" of a campaign that is %s', async (name, status, expected) => {
    const { campaignId, granted } = await inStatus(status, true);
    const before = await engine.campaignRow(campaignId);
    await STOPS[name](campaignId);
    expect(await outcome(campaignId, granted)).toEqual(expected);
    const { status_reason: reason } = await engine.campaignRow(campaignId);
    if (expected.next === before.status) expect(reason).toBe(before.status_reason);
    else expect(reason).toMatch(/spend limit: |operator|its workflow was terminated/);
  });

  test('gives the reason in the webhook for a spend limit, but not for a pause by a person', async () => {
    const { campaignId } = await inStatus('active', true);
    await STOPS['a spend limit'](campaignId);
    const [event]: any[] = await engine.db('webhook_deliveries').where({ campaign_id: campaignId });
    const { status_reason } = await engine.campaignRow(campaignId);
    expect(JSON.parse(event.body as string)).toMatchObject({ new_status: 'paused', status_reason });
    expect(status_reason).toContain('12 credits');
  });
});
