const MINUTE_MS = 60_000;

/** As ISO 8601 writes it: `+05:30`. */
export function utcOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const [hours, rest] = [Math.trunc(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}

/** Reads `+05:30`; null where it is none. */
export function offsetMinutes(text: string): number | null {
  const [, sign, hours = '', minutes = ''] = /^([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return null;
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,6})?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** An instant as a model writes it; without an offset it is meant in local time. Null where it is none. */
export function localInstant(text: string, utcOffsetMinutes: number): number | null {
  const [, day, time, seconds = ':00', offset] = INSTANT.exec(text.trim()) ?? [];
  if (day === undefined || time === undefined) return null;
  const ms = Date.parse(`${day}T${time}${seconds.slice(0, 7)}${isoOffset(offset)}`);
  if (!Number.isFinite(ms)) return null;
  return offset === undefined ? ms - utcOffsetMinutes * MINUTE_MS : ms;
}

function isoOffset(offset: string | undefined): string {
  if (offset === undefined || offset.toUpperCase() === 'Z') return 'Z';
  return offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
}
