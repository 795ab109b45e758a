/** Line breaks and other control characters, including those that reverse or hide text. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Inserts blanks, so that mail programs don't turn URLs, domains and e-mail addresses into links. */
const withoutLinks = (text: string): string =>
  text
    .replace(/:(?=\/\/)/g, ': ')
    .replace(/(?<=\S)[.\u3002\uff0e\uff61](?=\p{L})/gu, '. ')
    .replace(/(?<=\S)@(?=\S)/gu, ' @ ');

/** Makes text from outside one line of at most `maxLength` characters, without line breaks or links. */
export function oneLine(text: string, maxLength: number): string {
  const line = withoutLinks(text.replace(NOT_IN_A_LINE, ' ')).replace(/ {2,}/g, ' ').trim();
  const characters = [...line];
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2 Nov 2026, 05:00 UTC` */
export function instantText(instant: Date): string {
  const day = `${instant.getUTCDate()} ${MONTHS[instant.getUTCMonth()]} ${instant.getUTCFullYear()}`;
  return `${day}, ${instant.toISOString().slice(11, 16)} UTC`;
}

/** Formats a number with at most two decimals. */
export const decimal = (value: number): string => String(Math.round(value * 100) / 100);
