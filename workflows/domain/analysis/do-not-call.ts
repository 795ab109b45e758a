/** "Do not call me again", as it is said: English, and Hindi in both of its letters. */
import { isCallbackRequest, sentencesOf } from './callback';
import { wordsOf } from './wording';

/** Each on the words of a sentence, framed by blanks. "Do not call me now" and "I will not call again" ask for nothing. */
const REQUESTS: readonly RegExp[] = [
  / (?<!(?:i|we|will|ill|would|did|does|they|he|she|you) )(?:dont|do not|never|not to|not|no need to)(?: \w+){0,2} (?:call|phone|ring|contact|dial|bother|disturb)(?: \w+){0,3} (?:again|anymore|any more|ever|in future|in the future) /,
  / (?<!(?:i|we|will|ill|would|they|he|she) )never(?: ever)? (?:call|phone|ring|contact|dial) (?:me|us|here|this|my|back) /,
  / (?:dont|do not) ever (?:call|phone|ring|contact|dial) /,
  / (?:stop|quit) (?:calling|phoning|ringing|contacting|bothering|disturbing)(?: (?:me|us|here|this number|my number|please|at once|now|immediately))* $/,
  / (?:stop|quit) (?:calling|phoning|ringing|contacting|bothering|disturbing) (?:me|us|here|this number|my number) /,
  / (?:dont|do not)(?: ever)? (?:call|phone|ring|contact|dial)(?: me)?(?: on| at)? (?:this|my) (?:number|phone|line) /,
  / no more (?:phone )?calls /,
  / (?:remove|delete|take|strike|drop)(?: \w+){0,4} (?:off|from|out of)(?: \w+){0,2} (?:list|lists|database|records|system) /,
  / (?:remove|delete|erase) (?:my|this) (?:\w+ )?number /,
  / (?:put|add|place|register)(?: \w+){0,4} (?:do not call|dont call|do not disturb|dnd)(?: list| registry)? /,
];

/** Hindi has no order of words to rely on: something is to be done never again, and it is calling. */
const HINDI_CALL = ['call', 'phone', 'fon', 'sampark', 'कॉल', 'काल', 'फोन', 'फ़ोन', 'संपर्क', 'सम्पर्क'];
const HINDI_AGAIN = [
  ...[
    'dobara',
    'dubara',
    'doobara',
    'phir',
    'fir',
    'phirse',
    'firse',
    'aage se',
    'aaj ke baad',
    'ab se',
    'kabhi',
  ],
  ...['दोबारा', 'दुबारा', 'फिर', 'फिरसे', 'आगे से', 'आज के बाद', 'अब से', 'कभी'],
];
const HINDI_NOT = [
  ...[
    'mat',
    'mat karna',
    'nahi karna',
    'nahin karna',
    'nahi karo',
    'nahi karein',
    'nahi kijiye',
    'na karna',
    'na karo',
    'na karein',
    'na kijiye',
  ],
  ...['मत', 'नहीं करना', 'नहीं करें', 'नहीं कीजिए', 'ना करना', 'ना करें', 'न करें', 'न करना', 'ना कीजिए', 'न कीजिए'],
];
/** Whole requests without a word for "again". */
const HINDI_REQUESTS = [
  ...[
    'call karna band',
    'phone karna band',
    'calls band',
    'number hata do',
    'number hata dijiye',
    'number hatao',
    'number delete kar',
  ],
  ...['कॉल करना बंद', 'फोन करना बंद', 'फ़ोन करना बंद', 'नंबर हटा', 'नंबर डिलीट'],
];

/** Whether the user said it, and asked for no call afterwards. */
export function saysDoNotCall(userTexts: readonly string[]): boolean {
  const sentences = sentencesOf(userTexts);
  const said = sentences.findLastIndex(isRefusal);
  return said !== -1 && !sentences.slice(said + 1).some(isCallbackRequest);
}

function isRefusal(sentence: string): boolean {
  const words = wordsOf(sentence);
  if (REQUESTS.some((request) => request.test(words))) return true;
  const has = (phrases: readonly string[]): boolean =>
    phrases.some((phrase) => words.includes(wordsOf(phrase)));
  return has(HINDI_REQUESTS) || (has(HINDI_CALL) && has(HINDI_AGAIN) && has(HINDI_NOT));
}
