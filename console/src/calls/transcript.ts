import type { ChatMessage } from '../../../sdk/typescript/generated';

/** Part of a sentence. `isWord` is true if the part matches a search word. */
export interface Part {
  text: string;
  isWord: boolean;
}

/** Scripts without spaces between words. A search word can match any part of a run of letters in these scripts. */
const DENSE = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\u30fc]`;
const WORD = new RegExp(String.raw`${DENSE}+|(?:(?!${DENSE})[\p{L}\p{M}\p{N}\p{Cf}])+`, 'gu');
const IS_DENSE = new RegExp(`^${DENSE}`, 'u');

/** Normalizes text as the API does before it compares words. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ');

/** Splits a search text into words. The API matches whole words, ignoring case. */
export const wordsIn = (search: string | undefined): ReadonlySet<string> =>
  new Set(fold(search ?? '').match(WORD) ?? []);

export function partsOf(sentence: string, words: ReadonlySet<string>): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { 0: word, index } of sentence.matchAll(WORD)) {
    const found = foundIn(word, words);
    if (found === undefined) continue;
    const begin = index + found.at;
    if (begin > at) parts.push({ text: sentence.slice(at, begin), isWord: false });
    at = begin + found.length;
    parts.push({ text: sentence.slice(begin, at), isWord: true });
  }
  if (at < sentence.length) parts.push({ text: sentence.slice(at), isWord: false });
  return parts;
}

/** Finds the longest matching word in a run of letters. */
function foundIn(run: string, words: ReadonlySet<string>): { at: number; length: number } | undefined {
  if (words.has(fold(run))) return { at: 0, length: run.length };
  if (!IS_DENSE.test(run)) return undefined;
  const [longest] = [...words].filter((word) => run.includes(word)).sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : { at: run.indexOf(longest), length: longest.length };
}

/** Returns the indexes of the sentences that contain one of the words. */
export const matchingSentences = (sentences: readonly string[], words: ReadonlySet<string>): number[] =>
  sentences.flatMap((sentence, index) =>
    partsOf(sentence, words).some(({ isWord }) => isWord) ? [index] : [],
  );

/** Returns the agent's response times by line index, measured from the end of the caller's words. 0 means that the agent interrupted the caller. */
export function responseTimesOf(lines: readonly ChatMessage[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  let heardUntilMs: number | null = null;
  lines.forEach(({ role, start_ms: startMs, end_ms: endMs }, index) => {
    // Skips actions, so that their time counts as response time.
    if (role === 'tool') return;
    if (role === 'agent' && heardUntilMs !== null) times.set(index, Math.max(0, startMs - heardUntilMs));
    heardUntilMs = role === 'user' ? endMs : null;
  });
  return times;
}

/** For example `0.6 s`. */
export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Returns the index of the line that is being spoken: the last one that has started, or -1. */
export function lineAt(lines: readonly { start_ms: number }[], ms: number): number {
  let found = -1;
  lines.forEach((line, index) => {
    if (line.start_ms <= ms) found = index;
  });
  return found;
}
