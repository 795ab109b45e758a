/** Finds phrases in speech: whole words in any script, regardless of case and of punctuation between them. */
import { normalized, wordsOf } from '../tokenize';

export interface Phrases {
  /** Whether any of the phrases occurs in the text. */
  matches(text: string): boolean;
  /** Words of the longest phrase: so many words of an incomplete text may still become one. */
  readonly longest: number;
}

/** Letters, marks, digits and what may stand between words; a phrase with other characters (`C++`, `₹₹`) is matched literally. */
const PLAIN = /^[\p{L}\p{M}\p{N}\s'’`.,;:!?।॥\-–—]*$/u;

export function phrasesOf(texts: readonly string[]): Phrases {
  const spoken = new Set<string>();
  const written = new Set<string>();
  for (const text of texts) {
    const words = wordsOf(text);
    const sign = spaced(text).trim();
    if (words.length > 0 && PLAIN.test(sign)) spoken.add(` ${words.join(' ')} `);
    // A full stop alone would match every answer.
    else if (!PLAIN.test(sign)) written.add(sign);
  }
  const all = [...spoken, ...written];
  return {
    matches(text) {
      if (all.length === 0) return false;
      const words = ` ${wordsOf(text).join(' ')} `;
      for (const phrase of spoken) if (words.includes(phrase)) return true;
      const whole = written.size === 0 ? '' : spaced(text);
      for (const phrase of written) if (whole.includes(phrase)) return true;
      return false;
    },
    longest: all.reduce((most, phrase) => Math.max(most, phrase.trim().split(' ').length), 0),
  };
}

const spaced = (text: string): string => normalized(text).replace(/\s+/g, ' ');
