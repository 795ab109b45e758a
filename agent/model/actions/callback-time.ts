/** Reads the time of a requested callback from the arguments of the model's tool call. */
import { instantOf } from '../prompt/local-time';

export type CallbackTime = { kind: 'none' } | { kind: 'at'; at: Date } | { kind: 'refused'; why: string };

const MINUTE_MS = 60_000;
const FARTHEST_MS = 366 * 24 * 60 * MINUTE_MS;

export function callbackTime(
  args: Readonly<Record<string, unknown>>,
  { now, timeZone }: { now: Date; timeZone: string },
): CallbackTime {
  const { at, in_minutes: inMinutes } = args;
  const fromNow = typeof inMinutes === 'number' ? inMinutes : Number.NaN;
  if (fromNow > 0) return within(new Date(now.getTime() + Math.min(fromNow, FARTHEST_MS) * MINUTE_MS), now);
  if (typeof at !== 'string' || at.trim() === '') return { kind: 'none' };
  const instant = instantOf(at, timeZone);
  if (instant === null)
    return { kind: 'refused', why: 'that is not a valid time; use the form 2026-11-23T15:30' };
  return within(instant, now);
}

function within(at: Date, now: Date): CallbackTime {
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs < -MINUTE_MS) return { kind: 'refused', why: 'that time is past; ask for another' };
  return aheadMs > FARTHEST_MS
    ? { kind: 'refused', why: 'that is more than a year ahead; ask for another' }
    : { kind: 'at', at };
}
