import { addDndNumbers, storeRegistryAnswer } from '../../db/calls/do-not-disturb';
import { describeWith } from '../servers/availability';
import { NO_GUARDS } from '../servers/no-guards';
import {
  EngineDatabase,
  MINUTE_MS,
  START,
  type CampaignOptions,
  type Owner,
} from './support/engine-database';

const NUMBER = '+919876500000';
const NO_BREAKERS = { ...NO_GUARDS.breakers, failureDials: 4 };

describeWith('postgres', 'a call that holds a line', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });

  async function granted(options: CampaignOptions = {}): Promise<{ campaignId: string; callIds: string[] }> {
    const campaignId = await engine.campaign(owner, { contacts: 1, ...options });
    const callIds = (await engine.feed(owner, campaignId)).granted;
    return { campaignId, callIds };
  }

  describe('a number on a do-not-disturb list', () => {
    const list = (organizationId: string, number = NUMBER) =>
      engine.db.transaction((trx) =>
        addDndNumbers(trx, { organizationId, numbers: [number], source: 'test', now: START }),
      );
    const registryNotBefore = new Date(START).toISOString();

    test("rejects a dial to a number on its organization's list", async () => {
      const {
        campaignId,
        callIds: [callId = ''],
      } = await granted({ performDndCheck: true });
      await list(owner.organizationId);
      expect(await engine.begin(callId)).toEqual({ kind: 'dnd' });
      expect((await engine.call(callId)).requested_at).toBeNull();
      await engine.end(callId, 'dnd');
      expect((await engine.contacts(campaignId))[0]).toMatchObject({
        state: 'dnd',
        reason: 'dnd',
        attempts: 0,
        nextAttemptAt: null,
      });
      expect(await engine.linesOf(owner)).toEqual([]);
    });

    test('dials if only another organization listed the number, or the campaign skips the check', async () => {
      await list((await engine.owner()).organizationId);
      const checked = await granted({ performDndCheck: true });
      expect(await engine.begin(checked.callIds[0] ?? '')).toMatchObject({ kind: 'ask' });
      await list(owner.organizationId);
      const unchecked = await granted({ performDndCheck: false });
      expect(await engine.begin(unchecked.callIds[0] ?? '')).toMatchObject({ kind: 'ask' });
    });

    test('checks the number of a dispatch, unless the dispatch skips the check', async () => {
      const checked = await engine.dispatch(owner);
      const { to_number: number } = await engine.call(checked);
      await list(owner.organizationId, number as string);
      const skipped = await engine.dispatch(owner);
      await engine.db('calls').where({ call_id: skipped }).update({ dnd_check_skipped: true });
      expect(await engine.begin(checked)).toEqual({ kind: 'dnd' });
      expect(await engine.begin(skipped)).toMatchObject({ kind: 'ask' });
    });

    test('requires a registry check before a dial unless the registry has answered recently', async () => {
      const { callIds } = await granted({ performDndCheck: true, contacts: 3, concurrency: 3 });
      const [first = '', second = '', third = ''] = callIds;
      const numberOf = async (callId: string) => (await engine.call(callId)).to_number as string;
      expect(await engine.begin(first, { registryNotBefore })).toEqual({
        kind: 'askRegistry',
        to: await numberOf(first),
      });
      const answered = (phoneNumber: string, listed: boolean) =>
        storeRegistryAnswer(engine.db, { phoneNumber, listed, requestedAt: START, keptForMs: MINUTE_MS });
      await answered(await numberOf(first), false);
      await answered(await numberOf(second), true);
      expect(await engine.begin(first, { registryNotBefore })).toMatchObject({ kind: 'ask' });
      expect(await engine.begin(second, { registryNotBefore })).toEqual({ kind: 'dnd' });
      expect(await engine.begin(third, { registryNotBefore, registryCleared: true })).toMatchObject({
        kind: 'ask',
      });
    });

    test('ignores a registry answer that is too old', async () => {
      const { callIds } = await granted({ performDndCheck: true });
      await engine.db('dnd_registry_answers').delete();
      await storeRegistryAnswer(engine.db, {
        phoneNumber: NUMBER,
        listed: false,
        requestedAt: START - 1,
        keptForMs: MINUTE_MS,
      });
      expect(await engine.begin(callIds[0] ?? '', { registryNotBefore })).toMatchObject({
        kind: 'askRegistry',
      });
    });

    test('counts a failed check as a dial, so that the check is not repeated forever', async () => {
      const { campaignId, callIds } = await granted({
        performDndCheck: true,
        maxAttempts: 2,
        retryDelayMins: 5,
      });
      await engine.end(callIds[0] ?? '', 'dnd_unverified');
      expect((await engine.contacts(campaignId))[0]).toMatchObject({
        state: 'pending',
        attempts: 1,
        nextAttemptAt: new Date(START + 5 * MINUTE_MS),
      });
      engine.now += 5 * MINUTE_MS;
      const [again = ''] = (await engine.feed(owner, campaignId)).granted;
      await engine.end(again, 'dnd_unverified');
      expect((await engine.contacts(campaignId))[0]).toMatchObject({
        state: 'dnd',
        reason: 'dnd_unverified',
      });
    });
  });

  describe('calls after the number of lines was lowered', () => {
    test('returns a call to the queue if its campaign has too many lines, but lets live calls keep theirs', async () => {
      const { campaignId, callIds } = await granted({ contacts: 4, concurrency: 4 });
      const [live = '', ...others] = callIds;
      await engine.dial(live);
      await engine.set(campaignId, { concurrency: 2 });
      const kinds = await Promise.all(others.map(async (callId) => (await engine.begin(callId)).kind));
      expect(kinds.sort()).toEqual(['ask', 'refused', 'refused']);
    });

    test("returns calls of campaigns and dispatches to the queue if the organization's maximum was lowered", async () => {
      const first = await granted({ contacts: 2, concurrency: 2 });
      const second = await granted({ contacts: 2, concurrency: 2 });
      const callIds = [...first.callIds, ...second.callIds, await engine.dispatch(owner)];
      await engine.db('organizations').where({ id: owner.organizationId }).update({ max_concurrency: 2 });
      const kinds = await Promise.all(callIds.map(async (callId) => (await engine.begin(callId)).kind));
      expect(kinds.filter((kind) => kind === 'ask')).toHaveLength(2);
      expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(3);
    });

    test('lets the calls that got their lines first keep them, regardless of the order of the checks', async () => {
      const campaignId = await engine.campaign(owner, { contacts: 3, concurrency: 3 });
      const { claimed } = await engine.claim(campaignId);
      const [first = '', second = '', third = ''] = claimed.map(({ callId }) => callId);
      for (const callId of [first, second, third]) {
        await engine.register(owner, [callId]);
        engine.now += 1_000;
      }
      await engine.set(campaignId, { concurrency: 2 });
      expect(await engine.begin(third)).toEqual({ kind: 'refused' });
      expect(await engine.begin(second)).toMatchObject({ kind: 'ask' });
      expect(await engine.begin(first)).toMatchObject({ kind: 'ask' });
      expect(await engine.begin(third)).toEqual({ kind: 'refused' });
    });

    test('dials no call above the limit, even if it got its line before a live call', async () => {
      const { campaignId, callIds } = await granted({ contacts: 2, concurrency: 2 });
      const [older = '', newer = ''] = callIds;
      await engine.dial(newer);
      await engine.set(campaignId, { concurrency: 1 });
      expect(await engine.begin(older)).toEqual({ kind: 'refused' });
    });
  });

  test('wakes a campaign that was cancelled or ended in the meantime when its call returns the line', async () => {
    const changes = [
      { status: 'cancelled' },
      { dialing_until: new Date(START) },
      { dialing_until: null },
      { dialing_until: new Date(START + 1) },
      { status: 'completed', ended_at: new Date(START) },
    ];
    const woken = [];
    for (const change of changes) {
      const {
        campaignId,
        callIds: [callId = ''],
      } = await granted();
      await engine.set(campaignId, { ...change, refill_requested_at: null });
      const { refillCampaignId } = await engine.returnLine(callId);
      woken.push(refillCampaignId === campaignId);
    }
    expect(woken).toEqual([true, true, true, false, false]);
  });

  describe('a spend limit or circuit breaker', () => {
    const spend = async (callId: string, minutes: number) => {
      await engine.dial(callId);
      engine.now += minutes * MINUTE_MS;
      await engine.end(callId, 'agent', {
        answeredAt: new Date(engine.now - minutes * MINUTE_MS).toISOString(),
      });
    };

    test("stops dialling once the campaign has spent the day's credits, and dials again the next day", async () => {
      const { campaignId, callIds } = await granted({ contacts: 3, concurrency: 3 });
      const breakers = { ...NO_BREAKERS, campaignSpendPerDay: 4 };
      // Calls cost two credits per minute.
      await spend(callIds[0] ?? '', 1);
      expect(await engine.begin(callIds[1] ?? '', { breakers })).toMatchObject({ kind: 'ask' });
      await engine.place(callIds[1] ?? '');
      engine.now += 1_000;
      await engine.end(callIds[1] ?? '', 'agent', {
        answeredAt: new Date(engine.now - 1_000).toISOString(),
      });
      expect(await engine.begin(callIds[2] ?? '', { breakers })).toEqual({
        kind: 'tripped',
        organizationId: owner.organizationId,
        campaignId,
        breaker: { kind: 'campaign_spend', limit: 4, measured: 4 },
      });
      expect((await engine.call(callIds[2] ?? '')).stage).toBe('granted');
      engine.now = Date.parse('2026-11-03T00:00:00.000Z');
      await engine.set(campaignId, { dialing_until: new Date(engine.now + MINUTE_MS) });
      expect(await engine.begin(callIds[2] ?? '', { breakers })).toMatchObject({ kind: 'ask' });
    });

    test('adds up the spend of all campaigns and dispatches of one organization', async () => {
      const breakers = { ...NO_BREAKERS, organizationSpendPerDay: 4 };
      await spend(await engine.dispatch(owner), 1);
      await spend((await granted()).callIds[0] ?? '', 1);
      const held = await granted();
      expect(await engine.begin(held.callIds[0] ?? '', { breakers })).toMatchObject({
        kind: 'tripped',
        breaker: { kind: 'organization_spend', limit: 4, measured: 4 },
      });
      owner = await engine.owner();
      const other = await granted();
      expect(await engine.begin(other.callIds[0] ?? '', { breakers })).toMatchObject({ kind: 'ask' });
    });

    test("prefers the organization's own limit over the configured one, and treats 0 as no limit", async () => {
      const setOwn = (limit: number | null) =>
        engine
          .db('organizations')
          .where({ id: owner.organizationId })
          .update({ campaign_spend_per_day: limit });
      const { callIds } = await granted({ contacts: 2, concurrency: 2 });
      await spend(callIds[0] ?? '', 1);
      await setOwn(2);
      expect(await engine.begin(callIds[1] ?? '', { breakers: NO_BREAKERS })).toMatchObject({
        breaker: { limit: 2 },
      });
      await setOwn(0);
      const configured = { ...NO_BREAKERS, campaignSpendPerDay: 1 };
      expect(await engine.begin(callIds[1] ?? '', { breakers: configured })).toMatchObject({ kind: 'ask' });
    });

    async function fail(callIds: readonly string[], reasons: readonly ('carrier_failure' | 'busy')[]) {
      for (const [index, reason] of reasons.entries()) {
        await engine.dial(callIds[index] ?? '');
        await engine.end(callIds[index] ?? '', reason);
      }
    }

    test('stops dialling when the carrier failed too many of the latest dials, but only after a minimum number of dials', async () => {
      const breakers = { ...NO_BREAKERS, failureRate: 0.5 };
      const { callIds } = await granted({ contacts: 6, concurrency: 6 });
      await fail(callIds, ['carrier_failure', 'carrier_failure', 'carrier_failure']);
      expect(await engine.begin(callIds[3] ?? '', { breakers })).toMatchObject({ kind: 'ask' });
      await engine.place(callIds[3] ?? '');
      await engine.end(callIds[3] ?? '', 'busy');
      expect(await engine.begin(callIds[4] ?? '', { breakers })).toMatchObject({
        kind: 'tripped',
        breaker: { kind: 'campaign_failures', limit: 0.5, measured: 0.75 },
      });
    });

    test.each([
      [0.5, 'tripped'],
      [0.501, 'ask'],
    ])('compares a failure rate of one half with a limit of %d: %s', async (failureRate, kind) => {
      const { callIds } = await granted({ contacts: 5, concurrency: 5 });
      await fail(callIds, ['busy', 'carrier_failure', 'busy', 'carrier_failure']);
      const breakers = { ...NO_BREAKERS, failureRate };
      expect(await engine.begin(callIds[4] ?? '', { breakers })).toMatchObject({ kind });
    });

    test("doesn't count busy or unanswered numbers as failures of the carrier", async () => {
      const breakers = { ...NO_BREAKERS, failureRate: 0.5 };
      const { callIds } = await granted({ contacts: 5, concurrency: 5 });
      await fail(callIds, ['busy', 'busy', 'busy', 'carrier_failure']);
      expect(await engine.begin(callIds[4] ?? '', { breakers })).toMatchObject({ kind: 'ask' });
    });

    test('adds up the failures of all campaigns of the organization', async () => {
      const breakers = { ...NO_BREAKERS, failureRate: 1 };
      for (const contacts of [2, 2]) {
        const { callIds } = await granted({ contacts, concurrency: contacts });
        await fail(callIds, ['carrier_failure', 'carrier_failure']);
      }
      const { callIds } = await granted();
      expect(await engine.begin(callIds[0] ?? '', { breakers })).toMatchObject({
        breaker: { kind: 'organization_failures', measured: 1 },
      });
    });
  });

  describe('a trunk with a limited rate of dials', () => {
    const pace = (trunk: string) => ({ trunk, dialEveryMs: 200 });

    test('shares the slots of a trunk among all campaigns and organizations', async () => {
      const { callIds } = await granted({ contacts: 2, concurrency: 2 });
      const [first = '', second = ''] = callIds;
      owner = await engine.owner();
      const [third = ''] = (await granted()).callIds;
      const guards = pace('shared');
      expect(await engine.begin(first, guards)).toMatchObject({ kind: 'ask' });
      expect(await engine.begin(second, guards)).toEqual({ kind: 'paced', waitMs: 200 });
      expect(await engine.begin(third, guards)).toEqual({ kind: 'paced', waitMs: 400 });
      engine.now += 150;
      // A retry keeps the slot.
      expect(await engine.begin(second, guards)).toEqual({ kind: 'paced', waitMs: 50 });
      engine.now += 50;
      expect(await engine.begin(second, guards)).toMatchObject({ kind: 'ask' });
      expect(await engine.begin(third, guards)).toEqual({ kind: 'paced', waitMs: 200 });
    });

    test('drops a slot that a call missed, so that late calls are not all dialled at once', async () => {
      const { callIds } = await granted({ contacts: 3, concurrency: 3 });
      const [first = '', second = '', third = ''] = callIds;
      const guards = pace('late');
      await engine.begin(first, guards);
      await engine.begin(second, guards);
      await engine.begin(third, guards);
      engine.now += 10_000;
      expect(await engine.begin(second, guards)).toMatchObject({ kind: 'ask' });
      expect(await engine.begin(third, guards)).toEqual({ kind: 'paced', waitMs: 200 });
    });

    test.each([
      [250, { kind: 'ask' }],
      [251, { kind: 'paced', waitMs: 149 }],
    ])('drops a slot that is more than 250 ms overdue: %d ms', async (lateMs, step) => {
      const { callIds } = await granted({ contacts: 3, concurrency: 3 });
      const guards = pace(`late by ${lateMs}`);
      for (const callId of callIds) await engine.begin(callId, guards);
      engine.now += 200 + lateMs;
      expect(await engine.begin(callIds[1] ?? '', guards)).toMatchObject(step);
    });

    test("paces dials 1 ms apart, and doesn't limit them at 0 ms", async () => {
      const { callIds } = await granted({ contacts: 4, concurrency: 4 });
      const step = (index: number, trunk: string, dialEveryMs: number) =>
        engine.begin(callIds[index] ?? '', { trunk, dialEveryMs });
      expect([await step(0, 'free', 0), await step(1, 'free', 0)]).toMatchObject([
        { kind: 'ask' },
        { kind: 'ask' },
      ]);
      expect(await engine.db('trunks').where({ trunk: 'free' })).toEqual([]);
      expect([await step(2, 'fast', 1), await step(3, 'fast', 1)]).toMatchObject([
        { kind: 'ask' },
        { kind: 'paced', waitMs: 1 },
      ]);
    });

    test('ignores slots that were assigned while a clock was an hour ahead', async () => {
      const { callIds } = await granted({ contacts: 3, concurrency: 3 });
      const [first = '', second = '', third = ''] = callIds;
      const guards = pace('ahead');
      engine.now = START + 60 * MINUTE_MS - 1;
      expect(await engine.begin(first, guards)).toMatchObject({ kind: 'ask' });
      expect(await engine.begin(second, guards)).toEqual({ kind: 'paced', waitMs: 200 });
      engine.now = START;
      expect(await engine.begin(second, guards)).toMatchObject({ kind: 'ask' });
      expect(await engine.begin(third, guards)).toEqual({ kind: 'paced', waitMs: 200 });
    });

    test('paces each trunk separately', async () => {
      const { callIds } = await granted({ contacts: 2, concurrency: 2 });
      expect(await engine.begin(callIds[0] ?? '', pace('one'))).toMatchObject({ kind: 'ask' });
      expect(await engine.begin(callIds[1] ?? '', pace('other'))).toMatchObject({ kind: 'ask' });
    });

    test('assigns a different slot to each of twenty calls that start at once', async () => {
      owner = await engine.owner(20);
      const { callIds } = await granted({ contacts: 20, concurrency: 20 });
      const steps = await Promise.all(callIds.map((callId) => engine.begin(callId, pace('crowded'))));
      const waits = steps.map((step) => (step.kind === 'paced' ? step.waitMs : 0)).sort((a, b) => a - b);
      expect(waits).toEqual(callIds.map((_id, index) => index * 200));
    });
  });
});
