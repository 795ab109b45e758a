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
