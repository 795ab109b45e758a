/** Splits text of any script into words, and detects the script. */

/** Joiners, which change how a word is displayed but not its meaning, and the Indic nukta, which many people omit. */
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff\u00ad\u093c\u09bc\u0a3c\u0abc\u0b3c\u0ccc]/g;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** No real letter has more marks. Normalising thousands of marks on one letter would take seconds. */
const TOO_MANY_MARKS = /(\p{M}{12})\p{M}+/gu;

export const normalized = (text: string): string =>
  text
    .replace(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’`]/g, '');

/** Returns the words without case and punctuation. */
export const wordsOf = (text: string): string[] => normalized(text).match(WORD) ?? [];

/**
 * Strips punctuation, which speech recognition sets inconsistently, and collapses whitespace. Returns an empty string when there are no
 * words.
 */
export const bareWords = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Scripts that are detailed enough to distinguish Hindi from English. */
const SCRIPTS = {
  Latin: /\p{Script=Latin}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
  Bengali: /\p{Script=Bengali}/gu,
  Gurmukhi: /\p{Script=Gurmukhi}/gu,
  Gujarati: /\p{Script=Gujarati}/gu,
  Oriya: /\p{Script=Oriya}/gu,
  Tamil: /\p{Script=Tamil}/gu,
  Telugu: /\p{Script=Telugu}/gu,
  Kannada: /\p{Script=Kannada}/gu,
  Malayalam: /\p{Script=Malayalam}/gu,
  Arabic: /\p{Script=Arabic}/gu,
} as const;
type Script = keyof typeof SCRIPTS;

export const SCRIPT_OF: Readonly<Record<string, Script>> = {
  en: 'Latin',
  hi: 'Devanagari',
  mr: 'Devanagari',
  ne: 'Devanagari',
  bn: 'Bengali',
  as: 'Bengali',
  pa: 'Gurmukhi',
  gu: 'Gujarati',
  or: 'Oriya',
  ta: 'Tamil',
  te: 'Telugu',
  kn: 'Kannada',
  ml: 'Malayalam',
  ur: 'Arabic',
};

/** Returns the script of most letters, or null if there are no letters. */
export function mainScript(text: string): Script | null {
  let max: { script: Script; letters: number } | null = null;
  for (const [script, letters] of Object.entries(SCRIPTS)) {
    const count = text.match(letters)?.length ?? 0;
    if (count > (max?.letters ?? 0) && isScript(script)) max = { script, letters: count };
  }
  return max?.script ?? null;
}

const isScript = (name: string): name is Script => Object.hasOwn(SCRIPTS, name);
