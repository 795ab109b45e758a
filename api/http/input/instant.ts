const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Years must have four digits even after the offset is applied, because Postgres has no year 0 and ISO 8601 writes later years differently.
 */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns ISO 8601 in UTC, or null if the text is neither a date nor a timestamp. */
export function readInstant(text: string): string | null {
  // In a query string an unescaped + becomes a space.
  const match = INSTANT.exec(
    text.replace(/ (\d{2}:?\d{2})$/, (whole, zone: string) => (text.length > 19 ? `+${zone}` : whole)),
  );
  if (match === null) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  if (!isDate(`${year}-${month}-${day}`)) return null;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zone.replace(/^(.\d{2}):?/, '$1:');
  const ms = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}${offset}`,
  );
  return ms >= FIRST_MS && ms <= LAST_MS ? new Date(ms).toISOString() : null;
}

/** Returns true if the text is a calendar date in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  // Date.parse would read 30 February as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
