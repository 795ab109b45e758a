/** How many words somebody misheard. */
import { wordsOf } from '../../../dev/talk/caller/verdict';

export interface WordErrors {
  /** Of what was said. */
  words: number;
  /** Words that are missing, wrong or too many: the fewest changes that make one text of the other. */
  errors: number;
}

/** Case and punctuation do not count. */
export function wordErrors(said: string, heard: string): WordErrors {
  const [wanted, had] = [wordsOf(said), wordsOf(heard)];
  let row = Array.from({ length: had.length + 1 }, (_none, nth) => nth);
  wanted.forEach((word, nth) => {
    const next = [nth + 1];
    had.forEach((other, at) => {
      const changed = (row[at] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    });
    row = next;
  });
  return { words: wanted.length, errors: row.at(-1) ?? 0 };
}

/** In per cent of the words that were said; NaN for none. */
export function errorRate(all: readonly WordErrors[]): number {
  const sum = (value: (one: WordErrors) => number) => all.reduce((total, one) => total + value(one), 0);
  return (100 * sum(({ errors }) => errors)) / sum(({ words }) => words);
}
