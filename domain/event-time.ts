/** Which reported times of a call can be true: those between its dial and now. */

/** By how much the clocks of two hosts may differ. */
export const CLOCK_TOLERANCE_MS = 5_000;

/** Milliseconds since the epoch, by our clock. */
export interface TimeBounds {
  /** When the carrier was asked, or the call accepted: nothing of the call happened before. */
  from: number;
  now: number;
}

export interface BelievedTime {
  at: number;
  /** The reported time cannot be true, so `at` is ours. */
  isReplaced: boolean;
}

/** A time that no difference of clocks explains becomes now. Others stand, so a clock that is a little ahead is so for answer and end alike. */
export function believedTime(reported: number, { from, now }: TimeBounds): BelievedTime {
  const isPossible = reported >= from - CLOCK_TOLERANCE_MS && reported <= now + CLOCK_TOLERANCE_MS;
  return isPossible ? { at: reported, isReplaced: false } : { at: now, isReplaced: true };
}

/** The answer of a call that ended at `endedAt`. It is so late that the talk is no longer than the time since the dial. */
export const boundedAnswer = (answeredAt: number, endedAt: number, { from, now }: TimeBounds): number =>
  Math.max(answeredAt, endedAt - Math.max(0, now - from));

/** ISO 8601. */
export interface ReportedTimes {
  dialingAt?: string | null;
  ringingAt?: string | null;
  answeredAt?: string | null;
  endedAt: string;
}

/** The end is not before the answer, as far as clocks differ, and the talk no longer than the time since the dial. `answeredAt` is the answer that is known already. */
export function believedTimes<Times extends ReportedTimes>(
  reported: Times,
  { answeredAt: knownAnswer, ...bounds }: TimeBounds & { answeredAt: number | null },
): { times: Times; isReplaced: boolean } {
  let isReplaced = false;
  const believed = (at: string, from = bounds.from): number => {
    const time = believedTime(Date.parse(at), { ...bounds, from });
    isReplaced ||= time.isReplaced;
    return time.at;
  };
  const { dialingAt, ringingAt, answeredAt, endedAt } = reported;
  const times = {
    ...reported,
    ...(dialingAt != null && { dialingAt: iso(believed(dialingAt)) }),
    ...(ringingAt != null && { ringingAt: iso(believed(ringingAt)) }),
    ...(answeredAt != null && { answeredAt: iso(believed(answeredAt)) }),
  };
  const answer = knownAnswer ?? (times.answeredAt == null ? null : Date.parse(times.answeredAt));
  if (answer === null) return { times: { ...times, endedAt: iso(believed(endedAt)) }, isReplaced };
  const longestTalkMs = Math.max(0, bounds.now - bounds.from);
  const end = Math.min(believed(endedAt, answer), answer + longestTalkMs);
  return { times: { ...times, endedAt: iso(end) }, isReplaced };
}

const iso = (ms: number): string => new Date(ms).toISOString();
