/** Converts between instants and the callee's local time. */

/** Most callees live in India. */
export const DEFAULT_TIME_ZONE = 'Asia/Kolkata';

/**
 * Returns the time zone in the variable `timezone` of a contact or a dispatch. Returns `fallback` if the variable is missing or unknown.
 */
export function timeZoneOf(
  variables: Readonly<Record<string, unknown>>,
  { fallback = DEFAULT_TIME_ZONE, onUnknown }: { fallback?: string; onUnknown?: () => void } = {},
): string {
  const requested = Object.hasOwn(variables, 'timezone') ? variables.timezone : undefined;
  const name = typeof requested === 'string' ? requested.trim() : '';
  if (isTimeZone(name)) return name;
  if (name !== '') onUnknown?.();
  return fallback;
}

/** Names that Node accepts although they aren't IANA zones. Some differ from their usual meaning: `BST` is the time of Dhaka. */
const NOT_IANA =
  /^([ABCPS]ST|A[CEGR]T|BET|C[ANT]T|EAT|ECT|I[ES]T|JST|MIT|N[ES]T|P[LNR]T|VST|SystemV\/.*|US\/Pacific-New)$/i;

/** Returns true for the name of an IANA zone. Newer versions of Node also accept offsets such as `+05:30`. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name) || NOT_IANA.test(name)) return false;
  try {
    canonicalZone(name);
    return true;
  } catch {
    // The time zone is unknown (RangeError).
    return false;
  }
}

/** By the name in lower case, because each zone can be spelled in many ways. */
const canonicalZones = new Map<string, string>();

/** Returns one spelling for all spellings of a zone. Throws a RangeError for an unknown zone. */
export function canonicalZone(name: string): string {
  const key = name.toLowerCase();
  const known = canonicalZones.get(key);
  if (known !== undefined) return known;
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
  canonicalZones.set(key, timeZone);
  return timeZone;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Formats an instant like `Tuesday, 2026-11-03T01:30+05:30`. */
export function localText(instantMs: number, timeZone: string): string {
  const offset = offsetMs(instantMs, timeZone);
  const local = new Date(instantMs + offset);
  const weekday = new Intl.DateTimeFormat('en', { timeZone: 'UTC', weekday: 'long' }).format(local);
  return `${weekday}, ${local.toISOString().slice(0, 16)}${offsetText(offset)}`;
}

function offsetText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / MINUTE_MS);
  const [hours, rest] = [Math.trunc(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${ms < 0 ? '-' : '+'}${hours}:${rest}`;
}

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(?:(Z)|([+-])(\d\d):?(\d\d)?)?$/i;

/**
 * Reads `2026-11-23T15:30` in a time zone, or a time with its own offset. Returns null for an impossible time. If a clock change skips or
 * repeats that hour, the offset before the change applies.
 */
export function instantOf(text: string, timeZone: string): Date | null {
  const match = TIME.exec(text.trim());
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const ms = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const asUtc = new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms));
  const written = [year, month, day, hour, minute, second].map((part) => String(part).padStart(2, '0'));
  // `Date` silently converts 31 February and hour 25 into other times.
  if (asUtc.toISOString().slice(0, 19).match(/\d+/g)?.join() !== written.join()) return null;
  const [, , , , , , , , z, sign, hours, minutes = '00'] = match;
  if (z !== undefined) return asUtc;
  if (sign === undefined) return inZone(asUtc.getTime(), timeZone);
  if (Number(hours) > 14 || Number(minutes) > 59) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return new Date(asUtc.getTime() - (sign === '-' ? -offset : offset));
}

function inZone(asUtcMs: number, timeZone: string): Date {
  const [before, after] = [asUtcMs - DAY_MS, asUtcMs + DAY_MS].map((at) => offsetMs(at, timeZone));
  const first = asUtcMs - (before ?? 0);
  const second = asUtcMs - (after ?? 0);
  const isFirst = offsetMs(first, timeZone) === before || offsetMs(second, timeZone) !== after;
  return new Date(isFirst ? first : second);
}

/** Returns how far the zone is ahead of UTC at this instant. */
export const offsetMs = (instantMs: number, timeZone: string): number => offsetReader(timeZone)(instantMs);

/** Returns a function like `offsetMs` for one zone, because the formatter takes twenty times as long to create as to use. */
export function offsetReader(timeZone: string): (instantMs: number) => number {
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instantMs) => {
    // Shows `11/23/2026, 15:30:00`. `formatToParts` takes three times as long.
    const numbers = formatter.format(instantMs).match(/\d+/g) ?? [];
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = numbers.map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / 1000) * 1000;
  };
}

/** Formats an instant to the minute, like `2026-11-23 02:30 UTC`. */
export const utcText = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Formats an instant to the minute on the zone's clock, like `2026-11-23 08:00`. */
export const localMinuteText = (ms: number, timeZone: string): string =>
  new Date(ms + offsetMs(ms, timeZone)).toISOString().slice(0, 16).replace('T', ' ');

/** Returns the date in UTC, like `2026-11-23`. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
