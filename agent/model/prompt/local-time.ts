/** Times on the caller's clock. */

/** The zone of most callers of an Indian platform; the template variable `timezone` overrides it. */
const DEFAULT_ZONE = 'Asia/Kolkata';

export function timeZoneOf(variables: Readonly<Record<string, unknown>>): string {
  const requested = Object.hasOwn(variables, 'timezone') ? variables.timezone : undefined;
  return typeof requested === 'string' && isTimeZone(requested) ? requested : DEFAULT_ZONE;
}

/** `Sunday, 22 November 2026, 10:35 (Asia/Kolkata)`. */
export function localNow(now: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now);
  return `${text.replace(' at ', ', ')} (${timeZone})`;
}

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/;

/**
 * The instant of `2026-11-23T15:30` in a zone, or of a text with its own offset; null for an invalid time. In the hour that a clock change
 * skips or repeats, the offset before the change applies.
 */
export function instantOf(text: string, timeZone: string): Date | null {
  const trimmed = text.trim();
  const local = LOCAL.exec(trimmed);
  if (local === null) {
    const hasOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2})$/i.test(trimmed);
    const instant = new Date(hasOffset ? trimmed : Number.NaN);
    return Number.isNaN(instant.getTime()) ? null : instant;
  }
  const [year, month, day, hour, minute, second] = local.slice(1).map((part) => Number(part ?? 0));
  const asUtcMs = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  const shown = new Date(asUtcMs);
  // Rejects 31 February and hour 25.
  if (shown.getUTCDate() !== day || shown.getUTCHours() !== hour || shown.getUTCMinutes() !== minute)
    return null;
  const guessMs = asUtcMs - offsetMs(asUtcMs, timeZone);
  return new Date(asUtcMs - offsetMs(guessMs, timeZone));
}

/** The zone's offset from UTC at this instant. */
function offsetMs(instantMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instantMs);
  const at = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const shownMs = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
  return shownMs - Math.floor(instantMs / 1000) * 1000;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    // RangeError: there is no such zone.
    return false;
  }
}
