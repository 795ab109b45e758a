/** Parts of a sentence, in order; those that are one of the words are marked. */
export interface Part {
  text: string;
  isWord: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** As the API searches: whole words in any case. */
export const wordsIn = (search: string | undefined): ReadonlySet<string> =>
  new Set((search ?? '').toLowerCase().match(WORD) ?? []);

export function partsOf(sentence: string, words: ReadonlySet<string>): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { 0: word, index } of sentence.matchAll(WORD)) {
    if (!words.has(word.toLowerCase())) continue;
    if (index > at) parts.push({ text: sentence.slice(at, index), isWord: false });
    parts.push({ text: word, isWord: true });
    at = index + word.length;
  }
  if (at < sentence.length) parts.push({ text: sentence.slice(at), isWord: false });
  return parts;
}

/** The indexes of the sentences that have one of the words. */
export const saying = (sentences: readonly string[], words: ReadonlySet<string>): number[] =>
  sentences.flatMap((sentence, index) =>
    partsOf(sentence, words).some(({ isWord }) => isWord) ? [index] : [],
  );
