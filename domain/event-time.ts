/** Corrects times that a carrier reports. A time is plausible if it is between the dial and now. */

/** Tolerated difference between the clocks of two hosts. */
export const CLOCK_TOLERANCE_MS = 5_000;

/** Milliseconds since the epoch by our own clock. */
interface TimeBounds {
  /** When the platform sent the dial or accepted the call. */
  from: number;
  now: number;
}

interface BelievedTime {
  at: number;
  /** The reported time was not plausible, so `at` is our own time. */
  isReplaced: boolean;
}

/**
 * Replaces an implausible time with the current time. Plausible times stay unchanged, so that a small clock offset shifts the answer and
 * the end equally.
 */
export function believedTime(reported: number, { from, now }: TimeBounds): BelievedTime {
  const isPossible = reported >= from - CLOCK_TOLERANCE_MS && reported <= now + CLOCK_TOLERANCE_MS;
  return isPossible ? { at: reported, isReplaced: false } : { at: now, isReplaced: true };
}

/** Returns whether the time is plausible for every call that was dialled before `now`. */
export const isRecent = (reported: number, now: number): boolean =>
  !believedTime(reported, { from: now, now }).isReplaced;

/** Returns `answeredAt`, moved later if needed so that the talk time doesn't exceed the time since the dial. */
export const boundedAnswer = (answeredAt: number, endedAt: number, { from, now }: TimeBounds): number =>
  Math.max(answeredAt, endedAt - Math.max(0, now - from));

/** ISO 8601. */
export interface ReportedTimes {
  dialingAt?: string | null;
  ringingAt?: string | null;
  answeredAt?: string | null;
  endedAt: string;
}

/**
 * Corrects all times of a call. The end can't precede the answer, and the talk time can't exceed the time since the dial. `answeredAt` is the
 * answer from an earlier report.
 */
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
