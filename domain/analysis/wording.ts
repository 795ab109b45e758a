const SENTENCE_END = /[.!?;]+(?:\s+|$)|\n+/;

/** Returns the words of a text in lowercase, separated and surrounded by single spaces, so that ` phrase ` only matches whole words. */
export function wordsOf(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.length === 0 ? ' ' : ` ${words.join(' ')} `;
}

/** Scripts without spaces between words. Their words have about two characters each. */
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

function wordCount(text: string): number {
  return wordsOf(text)
    .split(' ')
    .filter((word) => word !== '')
    .reduce((sum, word) => sum + Math.max(1, Math.ceil((word.match(UNPARTED)?.length ?? 0) / 2)), 0);
}

/** Returns whether the text contains the quotation, ignoring case, spaces and punctuation. An ellipsis may replace words. */
export function isQuoted(quotation: string, text: string): boolean {
  const letters = (words: string): string => wordsOf(words).replaceAll(' ', '');
  const said = letters(text);
  const parts = quotation.split(/\.{3}|…/).map(letters);
  return parts.some((part) => part !== '') && parts.every((part) => said.includes(part));
}

/** Returns all mentions in the order of speech. A longer phrase hides shorter ones that it contains. */
export function allMentioned(text: string, candidates: readonly string[]): string[] {
  return mentionsOf(text, candidates).map(({ phrase }) => phrase);
}

/** Returns the candidate that was mentioned last, because people correct themselves. Null if none was mentioned. */
export function lastMentioned(text: string, candidates: readonly string[]): string | null {
  return mentionsOf(text, candidates).at(-1)?.phrase ?? null;
}

/** Returns the distinct mentioned candidates in the order of the list. */
export function mentioned(text: string, candidates: readonly string[]): string[] {
  const found = new Set(mentionsOf(text, candidates).map(({ phrase }) => phrase));
  return candidates.filter((candidate) => found.has(candidate));
}

/**
 * Searches longer phrases first and hides each match, so that "not interested" is never read as "interested". Doesn't use regular
 * expressions, because the phrases come from configurations.
 */
function mentionsOf(text: string, phrases: readonly string[]): { phrase: string; at: number }[] {
  const longestFirst = phrases
    .map((phrase) => ({ phrase, words: wordsOf(phrase) }))
    .filter(({ words }) => words !== ' ')
    .sort((one, other) => other.words.length - one.words.length);
  // Separate the sentences so that no phrase matches across two of them.
  let rest = text.split(SENTENCE_END).map(wordsOf).join('\n');
  const found: { phrase: string; at: number }[] = [];
  for (const { phrase, words } of longestFirst) {
    for (let at = rest.indexOf(words); at !== -1; at = rest.indexOf(words, at + 1)) {
      found.push({ phrase, at });
      const hidden = '\0'.repeat(words.length - 2);
      rest = `${rest.slice(0, at + 1)}${hidden}${rest.slice(at + words.length - 1)}`;
    }
  }
  return found.sort((one, other) => one.at - other.at);
}

const MIN_USER_WORDS = 3;

export const NOT_ENOUGH_DATA = 'not enough data';

/** Returns whether the person said too little for any finding except an opt-out. */
export const isTooShort = (userText: string): boolean => wordCount(userText) < MIN_USER_WORDS;
