/** Tests that the dry run's own rules match those of Postgres. */
import { callCost } from '../../domain/call-cost';
import { outcomeOf, type EndReason } from '../../domain/call-outcome';
import { ContactQueue } from '../../domain/dry-run/contact-queue';
import { Pacer, readyAhead } from '../../domain/dry-run/lines';
import { Tally } from '../../domain/dry-run/tally';
import { redialAt } from '../../domain/redial';
import { onlyRow } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START } from './support/engine-database';
import { Random } from './support/random';
import { NO_GUARDS } from '../servers/no-guards';

const ENDS: EndReason[] = [
  'no_answer',
  'busy',
  'carrier_failure',
  'rejected',
  'invalid_number',
  'callee',
  'lost',
];
const TERMS = [
  { maxAttempts: 1, retryDelayMins: 30 },
  { maxAttempts: 2, retryDelayMins: 0 },
  { maxAttempts: 3, retryDelayMins: 1440 },
];
/** The carrier's clock relative to ours. */
const SKEWS_MS = [-10 * MINUTE_MS, 0, 10 * MINUTE_MS];

describeWith('postgres', 'the rules of the dry run', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  async function placed(options: { maxAttempts?: number; retryDelayMins?: number } = {}) {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 1, ...options });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    return { owner, campaignId, callId };
  }

  test.each(TERMS.flatMap((terms) => ENDS.map((endReason) => ({ ...terms, endReason }))))(
    'schedules redials like end_calls: $endReason, $maxAttempts dials, $retryDelayMins minutes',
    async ({ maxAttempts, retryDelayMins, endReason }) => {
      const terms = { maxAttempts, retryDelayMins };
      for (const skewMs of SKEWS_MS) {
        for (const isCancelled of [false, true]) {
          const { callId, campaignId } = await placed({ maxAttempts, retryDelayMins });
          if (isCancelled) await engine.set(campaignId, { status: 'cancelled' });
          const reportedAt = engine.now;
          const endedAt = reportedAt + skewMs;
          const answeredBy = endReason === 'callee' ? 'human' : null;
          await engine.end(callId, endReason, { endedAt: new Date(endedAt).toISOString(), answeredBy });
          const { redial, contactState } = outcomeOf(endReason, answeredBy);
          const dueAt = redialAt({ redial, attempt: 1, reportedAt, isCancelled }, terms);
          const [contact] = await engine.contacts(campaignId);
          expect([skewMs, isCancelled, contact?.state, contact?.nextAttemptAt?.getTime() ?? null]).toEqual([
            skewMs,
            isCancelled,
            dueAt === null ? contactState : 'pending',
            dueAt,
          ]);
        }
      }
    },
  );

  test('counts dials in the same way as end_calls', async () => {
    const maxAttempts = 3;
    const { owner, campaignId, callId } = await placed({ maxAttempts, retryDelayMins: 0 });
    let dialled = callId;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      await engine.end(dialled, 'busy');
      const ended = { redial: true, attempt, reportedAt: engine.now, isCancelled: false };
      const dueAt = redialAt(ended, { maxAttempts, retryDelayMins: 0 });
      const [contact] = await engine.contacts(campaignId);
      expect([attempt, contact?.nextAttemptAt?.getTime() ?? null]).toEqual([attempt, dueAt]);
      if (dueAt === null) return expect(attempt).toBe(maxAttempts);
      [dialled = ''] = (await engine.feed(owner, campaignId)).granted;
      await engine.dial(dialled);
    }
    return undefined;
  });

  test.each([-1, 0, 1, 59_999, 60_000, 60_001, 119_999, 3_600_000])(
    'computes costs like end_calls: %d ms of talk',
    async (talkMs) => {
      const { callId } = await placed();
      const answeredAt = new Date(engine.now).toISOString();
      engine.now += talkMs;
      await engine.end(callId, 'agent', { answeredAt });
      // The engine of these tests charges two credits per minute.
      expect((await engine.call(callId)).call_cost).toBe(callCost(talkMs, 2));
    },
  );

  test.each([1, 2, 3, 20, 99, 100, 101, 500])(
    'keeps calls ready like ready_ahead: %d lines',
    async (lines) => {
      const owner = await engine.owner(lines);
      const campaignId = await engine.campaign(owner, { concurrency: lines });
      const { ahead } = await onlyRow<{ ahead: number }>(
        engine.db,
        'select ready_ahead(c) as ahead from campaigns c where id = :campaignId',
        { campaignId },
      );
      expect(readyAhead(lines)).toBe(ahead);
    },
  );

  test('orders contacts in the same way as claim_page: redials by due time, then the file', async () => {
    const owner = await engine.owner(4);
    const campaignId = await engine.campaign(owner, { contacts: 12, concurrency: 4, retryDelayMins: 1 });
    const queue = new ContactQueue(Array.from({ length: 12 }, (_none, index) => index + 2));
    const rowsOf = async (callIds: string[]) => {
      const contacts = await engine.contacts(campaignId);
      return callIds.map((id) => contacts.find(({ callId }) => callId === id)?.row);
    };
    const first = (await engine.claim(campaignId, { limit: 4 })).claimed.map(({ callId }) => callId);
    const taken = queue.claim(engine.now, 4);
    expect(await rowsOf(first)).toEqual(taken.map(({ row }) => row));
    await engine.register(owner, first);
    // The calls end in a different order than they were claimed, two of them at the same instant.
    for (const [index, delayMs] of [
      [2, 0],
      [3, 1_000],
      [1, 2_000],
      [0, 2_000],
    ] as const) {
      const [callId, contact] = [first[index] ?? '', taken[index]];
      engine.now = START + delayMs;
      await engine.dial(callId);
      await engine.end(callId, 'busy', { endedAt: new Date(engine.now).toISOString() });
      const ended = {
        redial: true,
        attempt: 1,
        reportedAt: engine.now,
        isCancelled: false,
      };
      const dueAt = redialAt(ended, { maxAttempts: 3, retryDelayMins: 1 });
      if (contact !== undefined && dueAt !== null) queue.dialAgain(contact, dueAt);
    }
    // All but the last two are due.
    for (const [now, limit] of [
      [START + MINUTE_MS + 1_999, 3],
      [START + MINUTE_MS + 2_000, 1],
      [START + MINUTE_MS + 2_000, 4],
    ] as const) {
      engine.now = now;
      const known = new Set((await engine.contacts(campaignId)).flatMap(({ callId }) => callId ?? []));
      const page = (await engine.claim(campaignId, { limit })).claimed.filter(
        ({ callId }) => !known.has(callId),
      );
      const rows = await rowsOf(page.map(({ callId }) => callId));
      expect(rows).toEqual(
        queue
          .claim(now, limit)
          .map(({ row }) => row)
          .sort((a, b) => a - b),
      );
      expect(rows).toHaveLength(limit);
    }
  });

  test.each([1, 2, 5, 10])(
    'paces calls in the same way as trunk_slot: %d calls per second',
    async (perSecond) => {
      const random = new Random(perSecond);
      const owner = await engine.owner(12);
      const campaignId = await engine.campaign(owner, { contacts: 12, concurrency: 12 });
      const pacer = new Pacer(perSecond);
      const guards = { trunk: `of ${perSecond}`, dialEveryMs: 1_000 / perSecond };
      const turns = [];
      for (const callId of (await engine.feed(owner, campaignId)).granted) {
        engine.now += random.below(2_000 / perSecond);
        const start = await engine.begin(callId, guards);
        const waitMs = start.kind === 'paced' ? start.waitMs : 0;
        turns.push({ kind: start.kind, at: engine.now + waitMs, expected: pacer.turn(engine.now) });
      }
      expect(turns.map(({ at }) => at)).toEqual(turns.map(({ expected }) => expected));
      expect(new Set(turns.map(({ kind }) => kind))).toEqual(new Set(['ask', 'paced']));
    },
  );

  test('limits spend in the same way as tripped_breaker, over several UTC days', async () => {
    const random = new Random(3);
    const spendPerDay = 8;
    const owner = await engine.owner(1);
    const campaignId = await engine.campaign(owner, { contacts: 60, concurrency: 1 });
    const guards = { breakers: { ...NO_GUARDS.breakers, campaignSpendPerDay: spendPerDay } };
    const tally = new Tally();
    const seen = [];
    for (let look = 0; look < 60; look++) {
      engine.now += random.below(120) * MINUTE_MS;
      await engine.feed(owner, campaignId);
      const [callId] = await engine
        .db('calls')
        .where({ campaign_id: campaignId, stage: 'granted' })
        .pluck('call_id');
      const { kind } = await engine.begin(callId, guards);
      seen.push({ kind, expected: tally.creditsOfDay(engine.now) >= spendPerDay ? 'tripped' : 'ask' });
      if (kind === 'tripped') continue;
      await engine.place(callId);
      const talkMs = random.below(4 * MINUTE_MS);
      const answeredAt = new Date(engine.now).toISOString();
      engine.now += talkMs;
      await engine.end(callId, 'agent', { answeredAt });
      tally.charge(engine.now, callCost(talkMs, 2));
    }
    expect(seen.map(({ kind }) => kind)).toEqual(seen.map(({ expected }) => expected));
    expect(seen.filter(({ kind }) => kind === 'tripped').length).toBeGreaterThan(5);
  });
});
