/** A cell's text, or why it has none. */
export type CellReading = string | { fault: string };

const PLAIN = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 15 });

const MAX_DATE_MS = 8.64e15;
const DAY_ZERO_OF_1904 = '1904-01-01';

/** The digits of the number itself, whatever its format shows: `919876543210`, never `9.19877E+11`. */
export function numberText(value: number): CellReading {
  if (!Number.isFinite(value)) return { fault: 'is not a number that can be read' };
  if (Number.isSafeInteger(value)) return String(value);
  // A spreadsheet's numbers have 15 digits; what a double adds is noise: 0.30000000000000004.
  const rounded = String(Number(value.toPrecision(15)));
  return rounded.includes('e') ? PLAIN.format(value) : rounded;
}

/**
 * A spreadsheet's day and time of day as ISO 8601. It has no zone, so none is written. `dayZero` is the day that a time of day
 * alone falls on, which readers put differently.
 */
export function dateText(date: Date, dayZero: string): CellReading {
  const ms = Math.round(date.getTime() / 1000) * 1000;
  if (Number.isNaN(ms) || Math.abs(ms) > MAX_DATE_MS) return { fault: 'is not a date that can be read' };
  const [day = '', time = ''] = new Date(ms).toISOString().split('T');
  const timeOfDay = time.slice(0, 8);
  if (day === dayZero || day === DAY_ZERO_OF_1904) return timeOfDay;
  return timeOfDay === '00:00:00' ? day : `${day}T${timeOfDay}`;
}

export const errorText = (code: string): CellReading => ({ fault: `holds the error ${code}` });
