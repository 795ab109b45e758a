/** Shows before a campaign starts when the rules allow it to call the contacts of a time zone. */
import { mayDial, type Callee, type DiallingRules } from './dialling';
import { placeOfZoneKey, zonesOfPlace } from './number-zones';
import { DAY_MS, MINUTE_MS, type Interval } from './opening-hours';

/** Contacts that can be called for less time on each day are listed before the start. */
const MIN_CALLABLE_MS = 60 * MINUTE_MS;
const DAYS = 7;

export interface ZoneOutlook {
  zones: readonly string[];
  /** The first time from now on at which its contacts may be called. Null if the rules never allow it. */
  opensAt: number | null;
  /** When that window closes. */
  closesAt: number | null;
  /** None of the seven days from the first opening has 60 callable minutes. */
  isShort: boolean;
}

export function zoneOutlook(rules: DiallingRules, key: string, now: number): ZoneOutlook {
  const callee = { ...placeOfZoneKey(key), attempts: [], consent: true };
  const zones = zonesOfPlace(callee);
  const first = openingFrom(rules, callee, now);
  if (first === null) return { zones, opensAt: null, closesAt: null, isShort: true };
  const days = Array.from({ length: DAYS }, (_none, day) => first.from + day * DAY_MS);
  const isShort = !days.some((day) => callableMs(rules, callee, day) >= MIN_CALLABLE_MS);
  return { zones, opensAt: Math.max(now, first.from), closesAt: first.until, isShort };
}

/** Returns the interval that is open at this instant, or the next one. */
function openingFrom(rules: DiallingRules, callee: Callee, at: number): Interval | null {
  const decision = mayDial(rules, callee, at);
  if (decision.isAllowed) return decision.within;
  if (decision.nextAllowedAt === null) return null;
  const next = mayDial(rules, callee, decision.nextAllowedAt);
  return next.isAllowed ? next.within : null;
}

/** Returns for how much of the 24 hours the rules allow a call. */
function callableMs(rules: DiallingRules, callee: Callee, from: number): number {
  const end = from + DAY_MS;
  let callable = 0;
  let at = from;
  while (at < end) {
    const open = openingFrom(rules, callee, at);
    if (open === null || open.from >= end) break;
    const until = Math.min(open.until, end);
    callable += until - Math.max(open.from, at);
    at = until;
  }
  return callable;
}
