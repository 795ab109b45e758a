import fc from 'fast-check';
import { callCost } from '../../domain/call-cost';
import {
  believedTime,
  believedTimes,
  boundedAnswer,
  CLOCK_TOLERANCE_MS,
  isRecent,
  type ReportedTimes,
} from '../../domain/event-time';

const FROM = Date.parse('2026-11-02T05:00:00.000Z');
const NOW = FROM + 600_000;
const BOUNDS = { from: FROM, now: NOW };
const iso = (ms: number): string => new Date(ms).toISOString();

describe('the time of an event', () => {
  test.each([
    ['at the dial', FROM],
    ['between dial and now', FROM + 1],
    ['half a minute ago, after an outage', NOW - 30_000],
    ['now', NOW],
  ])('keeps a time that is %s', (_when, at) => {
    expect(believedTime(at, BOUNDS)).toEqual({ at, isReplaced: false });
  });

  test.each([
    ['before the dial', FROM - CLOCK_TOLERANCE_MS],
    ['after now', NOW + CLOCK_TOLERANCE_MS],
  ])('keeps a time that is %s but within the clock tolerance', (_when, at) => {
    expect(believedTime(at, BOUNDS)).toEqual({ at, isReplaced: false });
  });

  test.each([
    ['before the dial by more than clocks differ', FROM - CLOCK_TOLERANCE_MS - 1],
    ['after now by more than clocks differ', NOW + CLOCK_TOLERANCE_MS + 1],
    ['in 1970', 0],
    ['in the year 9999', Date.parse('9999-12-31T23:59:59.999Z')],
    ['no time', NaN],
    ['beyond all dates', 1e300],
    ['before all dates', -Infinity],
  ])('replaces a time that is %s with the current time', (_when, reported) => {
    expect(believedTime(reported, BOUNDS)).toEqual({ at: NOW, isReplaced: true });
  });

  test('returns a time between dial and now, within the clock tolerance, for any reported time', () => {
    fc.assert(
      fc.property(fc.double(), fc.nat(1e9), (reported, sinceDialMs) => {
        const now = FROM + sinceDialMs;
        const { at } = believedTime(reported, { from: FROM, now });
        return at >= FROM - CLOCK_TOLERANCE_MS && at <= now + CLOCK_TOLERANCE_MS;
      }),
    );
  });

  test('keeps a recent time whenever the call was dialled', () => {
    const around = fc.integer({ min: NOW - 2 * CLOCK_TOLERANCE_MS, max: NOW + 2 * CLOCK_TOLERANCE_MS });
    fc.assert(
      fc.property(around, fc.nat(1e9), (reported, sinceDialMs) => {
        fc.pre(isRecent(reported, NOW));
        expect(believedTime(reported, { from: NOW - sinceDialMs, now: NOW })).toEqual({
          at: reported,
          isReplaced: false,
        });
      }),
    );
  });

  test.each([
    ['within the clock tolerance', CLOCK_TOLERANCE_MS, true],
    ['further from now than clocks differ', CLOCK_TOLERANCE_MS + 1, false],
  ])('reports whether a time is recent: %s', (_when, ms, isWithin) => {
    expect([isRecent(NOW - ms, NOW), isRecent(NOW + ms, NOW)]).toEqual([isWithin, isWithin]);
  });
});

describe("the times of a call's end", () => {
  const end = (times: ReportedTimes, answeredAt: number | null = null) =>
    believedTimes(times, { ...BOUNDS, answeredAt });

  test('keeps times that are in order between dial and now', () => {
    const times = {
      dialingAt: iso(FROM),
      ringingAt: iso(FROM + 1_000),
      answeredAt: iso(FROM + 5_000),
      endedAt: iso(FROM + 65_000),
    };
    expect(end(times)).toEqual({ times, isReplaced: false });
  });

  test('adds no times that were not reported', () => {
    const times = { dialingAt: null, endedAt: iso(NOW) };
    expect(end(times)).toEqual({ times, isReplaced: false });
  });

  test.each([
    ['is kept when it is before the answer by no more than clocks differ', 4_999, FROM + 55_001, false],
    ['becomes now when it is before the answer by more than clocks differ', 5_001, NOW, true],
  ])('returns an end that %s', (_title, beforeMs, endedAt, isReplaced) => {
    const answeredAt = FROM + 60_000;
    const ended = end({ endedAt: iso(answeredAt - beforeMs) }, answeredAt);
    expect(ended).toEqual({ times: { endedAt: iso(endedAt) }, isReplaced });
  });

  test("keeps the talk time when the carrier's clock is slightly ahead", () => {
    const times = { answeredAt: iso(NOW - 60_000 + 3_000), endedAt: iso(NOW + 3_000) };
    expect(end(times)).toEqual({ times, isReplaced: false });
  });

  test('limits the talk time to the time since the dial when clocks differ', () => {
    const times = { answeredAt: iso(FROM - 5_000), endedAt: iso(NOW + 5_000) };
    expect(end(times).times.endedAt).toBe(iso(NOW - 5_000));
  });

  test('charges no more than the time since the dial', () => {
    const instant = fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.integer({ min: FROM - 20_000, max: NOW + 20_000 }).map(iso),
    );
    const maybe = fc.option(instant);
    fc.assert(
      fc.property(
        instant,
        maybe,
        maybe,
        fc.option(fc.nat(600_000)),
        (endedAt, answeredAt, ringingAt, known) => {
          const knownAnswer = known === null ? null : FROM + known;
          const { times } = end({ endedAt, answeredAt, ringingAt }, knownAnswer);
          const answer = knownAnswer ?? Date.parse(times.answeredAt ?? times.endedAt);
          const talkMs = Date.parse(times.endedAt) - answer;
          return talkMs <= NOW - FROM && callCost(talkMs, 2) <= callCost(NOW - FROM, 2);
        },
      ),
    );
  });
});

test('limits the talk time to the time since the dial when the answer is reported after the end', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.nat(600_000), (answered, ended, sinceDialMs) => {
      const bounds = { from: FROM, now: FROM + sinceDialMs };
      return FROM + ended - boundedAnswer(FROM + answered, FROM + ended, bounds) <= sinceDialMs;
    }),
  );
});
