import { campaignEndingActivities } from '../../activities/campaigns/steps';
import { withdrawRest } from '../../db/campaigns/engine';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START } from './support/engine-database';
import { violations } from './support/invariants';

const CANCELLED = { contactState: 'cancelled', callStatus: 'cancelled', endReason: 'cancelled' } as const;
const EXPIRED = { contactState: 'expired', callStatus: 'expired', endReason: 'campaign_over' } as const;

describeWith('postgres', 'a campaign that runs out of calls', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  /** Dials and ends the calls in turn, and returns after which ones the campaign should have been woken. */
  async function endAll(granted: string[], max: number): Promise<number[]> {
    const woken: number[] = [];
    const live = [...granted];
    for (let ended = 1; ended <= max; ended++) {
      const callId = live.shift();
      if (callId === undefined) break;
      await engine.dial(callId);
      const decision = await engine.end(callId, 'agent');
      if (decision?.refillCampaignId !== null) woken.push(ended);
      live.push(...(decision?.granted ?? []));
    }
    return woken;
  }

  test('wakes a campaign once per page, when a third of the ready calls is left', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 40, concurrency: 4 });
    const page = await engine.feed(owner, campaignId);
    expect(page.claimed).toHaveLength(16);
    expect(await endAll(page.granted, 16)).toEqual([8]);
  });

  test('wakes a campaign again after its survey', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 40, concurrency: 4 });
    expect(await endAll((await engine.feed(owner, campaignId)).granted, 16)).toHaveLength(1);
    await engine.survey(campaignId);
    expect((await engine.campaignRow(campaignId)).refill_requested_at).toBeNull();
    expect(await endAll((await engine.feed(owner, campaignId)).granted, 12)).toHaveLength(1);
  });

  test('wakes a campaign only at its last call if no contacts are left', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 6, concurrency: 2 });
    expect(await endAll((await engine.feed(owner, campaignId)).granted, 6)).toEqual([6]);
  });

  test('counts waiting and live calls in a survey, and returns whether contacts are left and when one is due', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 9, concurrency: 1 });
    const { granted } = await engine.feed(owner, campaignId);
    const [first = ''] = granted;
    await engine.dial(first);
    const next = (await engine.end(first, 'busy'))?.granted ?? [];
    await engine.dial(next[0] ?? '');
    expect(await engine.survey(campaignId)).toEqual({
      status: 'active',
      statusReason: null,
      schedule: {
        fromDate: '2026-11-02',
        toDate: '2026-11-06',
        startMinute: 240,
        endMinute: 630,
        daysOfWeek: ['monday'],
      },
      contactsLeft: true,
      nextDueAt: START + 30 * 60_000,
      waitingCalls: 5,
      liveCalls: 1,
      unconcludedCalls: 0,
      requestedCalls: 0,
      endedContacts: 0,
      total: 9,
    });
  });

  test('counts unconcluded calls in a survey once no call is live', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 2, concurrency: 2 });
    const { granted } = await engine.feed(owner, campaignId);
    for (const [nth, callId] of granted.entries()) {
      await engine.dial(callId);
      await engine.end(callId, 'agent');
      const { liveCalls, unconcludedCalls } = (await engine.survey(campaignId)) ?? {};
      expect([liveCalls, unconcludedCalls]).toEqual(nth === 0 ? [1, 0] : [0, 2]);
    }
  });

  test('returns no survey of a campaign that was withdrawn', async () => {
    expect(await engine.survey('00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });

  describe('withdrawRest()', () => {
    test('ends and signals calls that the carrier was not asked to dial, and keeps live ones', async () => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner, { contacts: 12, concurrency: 3, duplicates: 1 });
      const { claimed, granted } = await engine.feed(owner, campaignId);
      const [placed = '', requested = ''] = granted;
      await engine.dial(placed);
      await engine.begin(requested);
      await engine.set(campaignId, { status: 'cancelled' });
      const { ended } = await withdrawRest(engine.db, campaignId, CANCELLED, engine.now);
      expect([...ended].sort()).toEqual(claimed.filter((id) => id !== placed && id !== requested).sort());
      expect(await engine.stages([placed, requested])).toEqual(['placed', 'requested']);
      const states = (await engine.contacts(campaignId)).map(({ state }) => state);
      expect(states.filter((state) => state === 'in_progress')).toHaveLength(2);
      expect(states.filter((state) => state === 'cancelled')).toHaveLength(10);
      expect(await engine.sums(campaignId)).toEqual({ inProgress: 2, completed: 0, failed: 11 });
      expect(await engine.linesOf(owner)).toEqual([placed, requested].sort());
      expect(await violations(engine)).toEqual([]);
    });

    describe('withdrawRest() after the campaign was found to be over', () => {
      const AFTER = Date.parse('2026-11-06T12:00:00.000Z');
      const withdraw = (campaignId: string, why: 'over' | 'cancelled' = 'over') =>
        campaignEndingActivities({ db: engine.db, settings: { ruleProfile: null } } as any).withdrawRest({
          campaignId,
          why,
          now: AFTER,
        });
      const states = async (campaignId: string) =>
        (await engine.contacts(campaignId)).map(({ state }) => state);

      test('expires the contacts of the campaign', async () => {
        const campaignId = await engine.campaign(await engine.owner(), { contacts: 2 });
        await withdraw(campaignId);
        expect(await states(campaignId)).toEqual(['expired', 'expired']);
      });

      test.each([
        ['it was paused', { status: 'paused' }],
        ['it got more days', { to_date: '2026-11-09' }],
      ])('keeps the contacts if %s before the withdrawal', async (_what, change) => {
        const campaignId = await engine.campaign(await engine.owner(), { contacts: 2 });
        await engine.set(campaignId, change);
        await withdraw(campaignId);
        expect(await states(campaignId)).toEqual(['pending', 'pending']);
      });

      test('ends the contacts of a cancelled campaign even if it has days left', async () => {
        const campaignId = await engine.campaign(await engine.owner(), { contacts: 1, toDate: '2026-11-09' });
        await engine.set(campaignId, { status: 'cancelled' });
        await withdraw(campaignId, 'cancelled');
        expect(await states(campaignId)).toEqual(['cancelled']);
      });
    });

    test('changes nothing when withdrawRest() is repeated', async () => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner, { contacts: 5 });
      await engine.feed(owner, campaignId);
      await withdrawRest(engine.db, campaignId, EXPIRED, engine.now);
      const before = await engine.sums(campaignId);
      expect(await withdrawRest(engine.db, campaignId, CANCELLED, engine.now)).toMatchObject({ ended: [] });
      expect(await engine.sums(campaignId)).toEqual(before);
      expect((await engine.contacts(campaignId)).every(({ state }) => state === 'expired')).toBe(true);
    });

    test('ends redials that are not due yet', async () => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner, { contacts: 1 });
      const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
      await engine.dial(callId);
      await engine.end(callId, 'busy');
      await withdrawRest(engine.db, campaignId, EXPIRED, engine.now);
      expect((await engine.contacts(campaignId))[0]).toMatchObject({
        state: 'expired',
        reason: 'campaign_over',
        attempts: 1,
        nextAttemptAt: null,
      });
    });

    test("grants the campaign's lines to the organization's other campaigns", async () => {
      const owner = await engine.owner(2);
      const one = await engine.campaign(owner, { contacts: 3 });
      const two = await engine.campaign(owner, { contacts: 3 });
      await engine.feed(owner, one);
      const { claimed } = await engine.feed(owner, two);
      await engine.set(one, { status: 'cancelled' });
      const { granted } = await withdrawRest(engine.db, one, CANCELLED, engine.now);
      expect(granted).toEqual(claimed.slice(0, 2));
    });

    test('stops counting a contact as in progress after the carrier rejected its call', async () => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner, { contacts: 2 });
      const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
      await engine.begin(callId);
      await engine.db('calls').where({ call_id: callId }).update({ stage: 'granted' });
      await withdrawRest(engine.db, campaignId, CANCELLED, engine.now);
      expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 2 });
    });
  });
});
