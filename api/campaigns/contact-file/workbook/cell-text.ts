import { plainNumber } from '../../../../domain/plain-number';

/** A cell's text, or why it can't be read. */
export type CellReading = string | { fault: string };

const DAY_S = 86_400;

/** Day 0. Day 1 is 1 January 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 31);

/** Excel has a 29 February 1900, which didn't exist. */
const FIRST_DAY_AFTER_LEAP = 60;

/** Offset of the 1904 date system, in days. */
const DAYS_TO_1904 = 1462;

/** 31 December 9999, the last date of a spreadsheet. */
const LAST_DAY = 2_958_465;

/** Spreadsheets show this for a date outside their range. */
const HASHES = '#####';

/** Returns the number's own digits and ignores its format: `919876543210` instead of `9.19877E+11`. */
export function numberText(value: number): CellReading {
  if (!Number.isFinite(value)) return { fault: 'is not a finite number' };
  if (Number.isSafeInteger(value)) return String(value);
  // Spreadsheets keep 15 digits. Further digits of a double are noise, as in 0.30000000000000004.
  return plainNumber(Number(value.toPrecision(15)));
}

/**
 * Converts a spreadsheet's day number to an ISO 8601 date and time without a zone. A value below one day is a time of day only.
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

/** Converts an ISO 8601 date to the form of `dateText`. Other texts are returned unchanged. */
export function isoDateText(text: string): string {
  const [, day, time = '00:00'] = ISO_DATE.exec(text) ?? [];
  if (day === undefined) return text;
  const whole = time.length === 5 ? `${time}:00` : time;
  return whole === '00:00:00' ? day : `${day}T${whole}`;
}

const ESCAPED = /_x([0-9a-fA-F]{4})_/g;

/** Decodes `_x000D_` and similar, which the format writes for characters that XML can't hold, and `_x005F_` for an underscore before such a text. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(ESCAPED, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;

export const errorText = (code: string): { fault: string } => ({
  fault: `contains the formula error ${code}`,
});

/** Built-in date formats, which workbooks use without defining them, including the East Asian ones. 46 is missing because it is elapsed time. */
const BUILT_IN_DATES: ReadonlySet<number> = new Set([
  ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47],
  ...[27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58],
]);

export const isBuiltInDate = (id: number): boolean => BUILT_IN_DATES.has(id);

/**
 * Parts of a format code whose letters don't stand for a date: texts, escaped characters, padding and fill, colours, conditions, locales,
 * calendars, exponents and fractions of a second. Elapsed times such as `[h]` are kept.
 */
const LITERALS =
  /"[^"]*"?|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]?|general|standard|am\/pm|a\/p|上午\/下午|b[12]|e[+-]|(?<=s)[.,]0+/gisu;

const ELAPSED = /\[(?:h+|m+|s+)\]/gi;
const DATE_LETTERS = /[ymdhsegab]/i;
/** In a format with elapsed time, the letter m means minutes. */
const DAY_LETTERS = /[yd]/i;
const DIGITS_OR_TEXT = /[0#?@]/;

/**
 * Returns true if a format shows a number as a date or a time of day. Elapsed time, which can exceed a day, is a number, and so is a format
 * with digit placeholders.
 */
export function isDateFormat(code: string): boolean {
  return code
    .replace(LITERALS, '')
    .split(';')
    .some((section) => {
      if (DIGITS_OR_TEXT.test(section)) return false;
      const rest = section.replace(ELAPSED, '');
      return rest === section ? DATE_LETTERS.test(section) : DAY_LETTERS.test(rest);
    });
}
