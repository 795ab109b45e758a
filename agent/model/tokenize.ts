/** Splits text into words, for search and guardrails alike. Covers every script, and ignores case and punctuation. */

/** Joiners, which change how a word is drawn but not which word it is, and the Indic nukta, which many people omit. */
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff\u00ad\u093c\u09bc\u0a3c\u0abc\u0b3c\u0ccc]/g;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** No letter of any script carries more marks. Normalising thousands of them on one letter would take seconds. */
const TOO_MANY_MARKS = /(\p{M}{12})\p{M}+/gu;

export const normalized = (text: string): string =>
  text
    .replace(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’`]/g, '');

export const wordsOf = (text: string): string[] => normalized(text).match(WORD) ?? [];
