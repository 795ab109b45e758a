/** In-memory full-text search over passages, in English and Indic scripts. */
import MiniSearch from 'minisearch';
import { normalized, wordsOf } from '../tokenize';
import type { Passage } from './passages';
import { isStopWord } from './stop-words';

export interface Found {
  passage: Passage;
  /** Share of the question's content words that occur in the passage, from 0 to 1. */
  share: number;
}

export interface Search {
  find(words: string, most: number): Found[];
}

const LONGEST_QUERY_WORDS = 60;
const AT_ONCE = 100;

export function searchOver(passages: readonly Passage[]): Search {
  const index = new MiniSearch<{ id: number; title: string; text: string }>({
    fields: ['title', 'text'],
    tokenize: wordsOf,
    processTerm: (term) => (isStopWord(term) ? null : stem(term)),
    searchOptions: {
      boost: { title: 2 },
      // Covers inflections and typing errors: `refund` finds `refunds`, `delivry` finds `delivery`.
      prefix: (term) => term.length >= 4,
      fuzzy: (term) => (term.length >= 6 ? 0.2 : false),
    },
  });
  const documents = passages.map(({ title, text }, id) => ({ id, title, text }));
  index.addAll(documents.slice(0, AT_ONCE));
  // Indexing a million characters takes a second, during which no audio is processed. The rest is therefore added in chunks.
  const rest = documents.slice(AT_ONCE);
  if (rest.length > 0) void index.addAllAsync(rest, { chunkSize: 20 });
  return {
    find(words, most) {
      const asked = contentWords(words).slice(0, LONGEST_QUERY_WORDS);
      if (asked.length === 0) return [];
      return index
        .search(asked.join(' '))
        .slice(0, most)
        .flatMap(({ id, queryTerms }) => {
          const passage = passages[Number(id)];
          return passage === undefined ? [] : [{ passage, share: new Set(queryTerms).size / asked.length }];
        });
    },
  };
}

/** Returns the distinct content words of a text, as the index stores them. */
export const contentWords = (text: string): string[] => [
  ...new Set(
    wordsOf(text)
      .filter((word) => !isStopWord(word))
      .map(stem),
  ),
];

/** Strips English plurals and endings. Words of other scripts stay as they are; prefix search covers their endings. */
function stem(word: string): string {
  const plain = normalized(word);
  if (!/^[a-z]{5,}$/.test(plain)) return plain;
  return plain
    .replace(/(ies)$/, 'y')
    .replace(/([^s])s$/, '$1')
    .replace(/(ing|ed)$/, '');
}
