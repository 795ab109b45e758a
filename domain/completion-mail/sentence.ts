/** Line breaks and every other control character, those that turn text round or hide it too. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Mail programs make links of addresses, domains and e-mail addresses, also without a scheme. A blank keeps them from it. */
const withoutLinks = (text: string): string =>
  text
    .replace(/:(?=\/\/)/g, ': ')
    .replace(/(?<=\S)[.\u3002\uff0e\uff61](?=\p{L})/gu, '. ')
    .replace(/(?<=\S)@(?=\S)/gu, ' @ ');

/** A stranger's text as one line of at most so many characters: it ends no header, begins no line of its own and makes no link. */
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

/** At most two decimals, and none that say nothing. */
export const decimal = (value: number): string => String(Math.round(value * 100) / 100);
