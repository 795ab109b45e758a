/** Finds phrases in speech: whole words in any script, ignoring case and punctuation between words. */
import { normalized, wordsOf } from '../tokenize';

export interface Phrases {
  /** Whether any of the phrases occurs in the text. */
  matches(text: string): boolean;
  /** Number of words in the longest phrase. The last words of an incomplete text can still become one. */
  readonly longest: number;
}

/**
 * Letters, marks, digits, and characters that can stand between words. A phrase with other characters (`C++`, `₹₹`) is matched literally.
 */
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
