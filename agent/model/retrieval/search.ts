/** Searches passages in memory, in English and Indic scripts. */
import MiniSearch from 'minisearch';
import { normalized, wordsOf } from '../words';
import type { Passage } from './passages';

interface Found {
  passage: Passage;
  /** Share of the question's content words that occur in the passage, from 0 to 1. */
  share: number;
}

export interface Search {
  find(words: string, max: number): Found[];
}

const LONGEST_QUERY_WORDS = 60;
const INDEXED_FIRST = 100;
/** Stop words in English, Hindi and romanised Hindi. */
const WORDS = `
a an the is are was were be been am do does did can could will would shall should may might must have has had
i me my mine we us our you your yours he she it its they them their this that these those there here
what which who whom whose when where why how whether if then than so and or but not no yes
of in on at to for from by with about into over under out up down as
please tell say know want need like get give take make let just also too very much many any some all
hello hi hey ok okay thanks thank sir madam
है हैं था थी थे हूँ हूं हो होता होती होते का की के को से में पर ने तक और या भी तो ही मैं मुझे मेरा मेरी मेरे हम हमें आप आपका आपकी आपके
यह ये वह वो इस उस क्या कौन कब कहाँ कहां कैसे कैसा कैसी क्यों कितना कितनी कितने कर करना करते करने करें कीजिए बताइए बताओ बताएं बताना चाहिए चाहता चाहती
जी हाँ हां नहीं नमस्ते कृपया एक कोई कुछ अगर लिए सकता सकती सकते गया गई रहा रही रहे
hai hain tha thi the hoon hun ho hota hoti ka ki ke ko se mein main par ne tak aur ya bhi toh hi mujhe mera meri mere hum aap aapka aapki aapke
yeh ye woh wo kya kaun kab kahan kaise kyun kyon kitna kitni kitne kar karna karte karo kijiye bataiye batao chahiye chahta chahti
ji haan nahi nahin namaste kripya ek koi kuch agar liye sakta sakti sakte gaya rahi raha rahe
`;
const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter(Boolean).map(normalized));

export function searchOver(passages: readonly Passage[]): Search {
  const index = new MiniSearch<{ id: number; title: string; text: string }>({
    fields: ['title', 'text'],
    tokenize: wordsOf,
    processTerm: (term) => (isStopWord(term) ? null : stem(term)),
    searchOptions: {
      boost: { title: 2 },
      // Finds inflected and misspelt words: `refund` finds `refunds`, `delivry` finds `delivery`.
      prefix: (term) => term.length >= 4,
      fuzzy: (term) => (term.length >= 6 ? 0.2 : false),
    },
  });
  const documents = passages.map(({ title, text }, id) => ({ id, title, text }));
  index.addAll(documents.slice(0, INDEXED_FIRST));
  // Indexing a million characters takes a second, which would stop all audio. The rest is therefore indexed in chunks.
  const rest = documents.slice(INDEXED_FIRST);
  if (rest.length > 0) void index.addAllAsync(rest, { chunkSize: 20 });
  return {
    find(words, max) {
      const terms = contentWords(words).slice(0, LONGEST_QUERY_WORDS);
      if (terms.length === 0) return [];
      return index
        .search(terms.join(' '))
        .slice(0, max)
        .flatMap(({ id, queryTerms }) => {
          const passage = passages[Number(id)];
          return passage === undefined ? [] : [{ passage, share: new Set(queryTerms).size / terms.length }];
        });
    },
  };
}

/** Returns the distinct content words of a text, in the form in which the index stores them. */
export const contentWords = (text: string): string[] => [
  ...new Set(
    wordsOf(text)
      .filter((word) => !isStopWord(word))
      .map(stem),
  ),
];

/** Strips English plurals and endings. Words of other scripts stay unchanged, because prefix search covers their endings. */
function stem(word: string): string {
  const plain = normalized(word);
  if (!/^[a-z]{5,}$/.test(plain)) return plain;
  return plain
    .replace(/(ies)$/, 'y')
    .replace(/([^s])s$/, '$1')
    .replace(/(ing|ed)$/, '');
}

const isStopWord = (word: string): boolean => STOP_WORDS.has(word);
