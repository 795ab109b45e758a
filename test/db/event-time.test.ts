import fc from 'fast-check';
import { applyProgress, type EventOfCall } from '../../db/calls/events';
import { endCall } from '../../db/calls/ends';
import { rows } from '../../db/kernel/query';
import { callCost } from '../../domain/call-cost';
import { callEndOf, type EndFacts } from '../../domain/call-end';
import { CLOCK_TOLERANCE_MS } from '../../domain/event-time';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type Owner } from './support/engine-database';

const iso = (ms: number): string => new Date(ms).toISOString();

describeWith('postgres', 'the times that other systems report', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner(100);
    engine.now = START;
  });

  const FROM = START;
  const NOW = START + 600_000;

  /** Returns a call that was dialled at FROM. Ten minutes later, it is NOW. */
  async function dialled(): Promise<string> {
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    engine.now = NOW;
    return callId;
  }

  test.each([
    ['at the dial', FROM, FROM],
    ['before the dial but within the clock tolerance', FROM - CLOCK_TOLERANCE_MS, FROM - CLOCK_TOLERANCE_MS],
    ['half a minute ago, after an outage', NOW - 30_000, NOW - 30_000],
    ['after now but within the clock tolerance', NOW + CLOCK_TOLERANCE_MS, NOW + CLOCK_TOLERANCE_MS],
    ['before the dial by more than clocks differ', FROM - CLOCK_TOLERANCE_MS - 1, NOW],
    ['after now by more than clocks differ', NOW + CLOCK_TOLERANCE_MS + 1, NOW],
    ['in 1970', 0, NOW],
    ['in the year 9999', Date.parse('9999-12-31T23:59:59.999Z'), NOW],
  ])('keeps a plausible time and replaces any other: %s', async (_when, reported, believed) => {
    const [found] = await rows<{ at: Date }>(
      engine.db,
      'select believed_time(:reported, :from, :now) as at',
      {
        reported: iso(reported),
        from: iso(FROM),
        now: iso(NOW),
      },
    );
    expect(found?.at).toEqual(new Date(believed));
  });

  test.each(['no time', '+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z'])(
    'replaces a time that Postgres cannot read: %s',
    async (at) => {
      const callId = await dialled();
      const replaced: EventOfCall[] = [];
      const onReplacedTime = (event: EventOfCall) => void replaced.push(event);
      const event = { reference: callId, carrierId: 'c', type: 'ringing', at } as const;
      await applyProgress(engine.db, [event], { now: NOW, creditsPerMinute: 2, onReplacedTime });
      const end = callEndOf({ endReason: 'no_answer', endedAt: at }, 2);
      await endCall(engine.db, callId, end, NOW, { onReplacedTime });
      expect(await engine.call(callId)).toMatchObject({ ringing_at: new Date(NOW), ended_at: new Date(NOW) });
      expect(replaced).toEqual([
        { callId, type: 'ringing' },
        { callId, type: 'ended' },
      ]);
    },
  );

  describe('at the end of a call', () => {
    async function end(facts: Partial<EndFacts>, answeredAt: number | null = null) {
      const callId = await dialled();
      if (answeredAt !== null) {
        await engine
          .db('calls')
          .where({ call_id: callId })
          .update({ answered_at: iso(answeredAt) });
      }
      let isReplaced = false;
      const whole = { endReason: 'callee', answeredBy: 'human', endedAt: iso(NOW), ...facts } as const;
      await endCall(engine.db, callId, callEndOf(whole, 2), NOW, {
        onReplacedTime: () => (isReplaced = true),
      });
      const { dialing_at, ringing_at, answered_at, ended_at, duration_ms, call_cost } =
        await engine.call(callId);
      return { dialing_at, ringing_at, answered_at, ended_at, duration_ms, call_cost, isReplaced };
    }

    test('keeps times that are in order between dial and now', async () => {
      const [dialingAt, ringingAt, answeredAt, endedAt] = [0, 1_000, 5_000, 65_000].map((ms) =>
        iso(FROM + ms),
      );
      expect(await end({ dialingAt, ringingAt, answeredAt, endedAt: endedAt ?? '' })).toMatchObject({
        dialing_at: new Date(FROM),
        ringing_at: new Date(FROM + 1_000),
        answered_at: new Date(FROM + 5_000),
        ended_at: new Date(FROM + 65_000),
        duration_ms: 60_000,
        isReplaced: false,
      });
    });

    test('adds no times that were not reported', async () => {
      expect(await end({ endReason: 'no_answer', answeredBy: null, dialingAt: null })).toMatchObject({
        dialing_at: null,
        ringing_at: null,
        answered_at: null,
        isReplaced: false,
      });
    });

    test.each([
      ['is kept when it is before the answer by no more than clocks differ', 4_999, FROM + 55_001, false],
      ['becomes now when it is before the answer by more than clocks differ', 5_001, NOW, true],
    ])('returns an end that %s', async (_title, beforeMs, endedAt, isReplaced) => {
      const answeredAt = FROM + 60_000;
      const ended = await end({ endedAt: iso(answeredAt - beforeMs) }, answeredAt);
      expect(ended).toMatchObject({ ended_at: new Date(endedAt), isReplaced });
    });

    test("keeps the talk time when the carrier's clock is slightly ahead", async () => {
      const times = { answeredAt: iso(NOW - 60_000 + 3_000), endedAt: iso(NOW + 3_000) };
      expect(await end(times)).toMatchObject({ duration_ms: 60_000, isReplaced: false });
    });

    test('limits the talk time to the time since the dial when clocks differ', async () => {
      const times = { answeredAt: iso(FROM - 5_000), endedAt: iso(NOW + 5_000) };
      expect((await end(times)).ended_at).toEqual(new Date(NOW - 5_000));
    });

    test('charges no more than the time since the dial', async () => {
      const instant = fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        fc.integer({ min: FROM - 20_000, max: NOW + 20_000 }).map(iso),
      );
      const maybe = fc.option(instant);
      const known = fc.option(fc.nat(600_000).map((ms) => FROM + ms));
      await fc.assert(
        fc.asyncProperty(instant, maybe, maybe, known, async (endedAt, answeredAt, ringingAt, knownAt) => {
          engine.now = START;
          const { duration_ms, call_cost } = await end({ endedAt, answeredAt, ringingAt }, knownAt);
          return Number(duration_ms) <= NOW - FROM && Number(call_cost) <= callCost(NOW - FROM, 2);
        }),
        { numRuns: 50 },
      );
    });

    test('limits the talk time to the time since the dial when the answer is reported after the end', async () => {
      const callId = await dialled();
      await endCall(engine.db, callId, callEndOf({ endReason: 'no_answer', endedAt: iso(NOW) }, 2), NOW);
      const event = { reference: callId, carrierId: 'c', type: 'answered', at: iso(FROM - 5_000) } as const;
      await applyProgress(engine.db, [event], { now: NOW, creditsPerMinute: 2 });
      expect(await engine.call(callId)).toMatchObject({
        answered_at: new Date(FROM),
        duration_ms: NOW - FROM,
      });
    });
  });

  test('applies the events that come with an end before it', async () => {
    const callId = await dialled();
    const event = { reference: callId, carrierId: 'c', at: iso(NOW - 60_000) } as const;
    const said = { speaker: 'agent', text: 'Hello.', startMs: 0, endMs: 900 } as const;
    const facts = { endReason: 'callee', answeredBy: 'human', endedAt: iso(NOW) } as const;
    await endCall(engine.db, callId, callEndOf(facts, 2), NOW, {
      events: [
        { ...event, type: 'answered', answeredBy: 'human' },
        { ...event, type: 'segment', segment: said },
      ],
    });
    expect(await engine.call(callId)).toMatchObject({
      stage: 'over',
      duration_ms: 60_000,
      emitted_segments: 1,
    });
  });
});
