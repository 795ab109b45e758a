import { plainNumber } from '../../../../domain/plain-number';

/** A cell's text, or why it has none. */
export type CellReading = string | { fault: string };

const DAY_S = 86_400;

/** The day before the first, 1 January 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 31);

/** Excel counts a 29 February 1900, which no calendar has. */
const FIRST_DAY_AFTER_LEAP = 60;

/** The day that a workbook of the 1904 date system counts from. */
const DAYS_TO_1904 = 1462;

/** 31 December 9999, the last day of a spreadsheet. */
const LAST_DAY = 2_958_465;

/** The sign of a spreadsheet for a day before its first or after its last. */
const HASHES = '#####';

/** The digits of the number itself, whatever its format shows: `919876543210`, never `9.19877E+11`. */
export function numberText(value: number): CellReading {
  if (!Number.isFinite(value)) return { fault: 'is not a number that can be read' };
  if (Number.isSafeInteger(value)) return String(value);
  // A spreadsheet's numbers have 15 digits; what a double adds is noise: 0.30000000000000004.
  return plainNumber(Number(value.toPrecision(15)));
}

/**
 * A day and time of day as ISO 8601, from the days that a spreadsheet counts. It has no zone, so none is written. Less than a day is
 * a time of day alone.
 */
export function dateText(serial: number, is1904: boolean): CellReading {
  const offset = is1904 ? DAYS_TO_1904 : 0;
  if (!(serial >= 0 && serial + offset < LAST_DAY + 1)) return errorText(HASHES);
  const seconds = Math.round(serial * DAY_S);
  const time = new Date((seconds % DAY_S) * 1000).toISOString().slice(11, 19);
  if (serial < 1) return time;
  const days = Math.floor(seconds / DAY_S) + offset;
  const leap = days >= FIRST_DAY_AFTER_LEAP ? 1 : 0;
  const day = new Date(EPOCH_MS + (days - leap) * DAY_S * 1000).toISOString().slice(0, 10);
  return time === '00:00:00' ? day : `${day}T${time}`;
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?)?$/;

/** A date that its writer spelled in ISO 8601, in the form of `dateText`. Another text stays as it is. */
export function isoDateText(text: string): string {
  const [, day, time = '00:00'] = ISO_DATE.exec(text) ?? [];
  if (day === undefined) return text;
  const whole = time.length === 5 ? `${time}:00` : time;
  return whole === '00:00:00' ? day : `${day}T${whole}`;
}

const ESCAPED = /_x([0-9a-fA-F]{4})_/g;

/** The format writes a character that XML cannot hold as `_x000D_`, and an underscore before such a text as `_x005F_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(ESCAPED, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;

export const errorText = (code: string): { fault: string } => ({ fault: `holds the error ${code}` });
