const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Years of four digits, also once the offset is taken off: Postgres knows no year 0, and later ones are written otherwise. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** As ISO 8601 UTC; null for what is no instant. */
export function readInstant(text: string): string | null {
  // In a query string a bare + is a blank.
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

/** Whether the text is a day of the calendar, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  // 30 February would come out as a day of March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
