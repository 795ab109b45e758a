/** Tests which words over the agent's speech interrupt it. */
import { OverlapWords } from '../../../agent/session/turns/overlap-words';

const only = (first: string | null): OverlapWords =>
  new OverlapWords({ first, second: null, detects: false });
const LONG_MS = 700;
const SHORT_MS = LONG_MS - 1;

const BACKCHANNELS = {
  en: [
    ...[
      'Hm.',
      'Hmm',
      'Him.',
      'Mhm',
      'M',
      'M-H-N',
      'NMM.',
      'Mm-hm, mm-hm',
      'Uh-huh.',
      '...',
      'Yes.',
      'Yeah, yeah',
      'Okay.',
    ],
    ...['OK, right.', 'Okay, yes.', 'I see', 'You', 'Thank you.', 'Haan ji', 'अच्छा', 'ठीक है।', 'जी हाँ'],
  ],
  de: ['Ja, genau.', 'Ach so'],
  fr: ["D'accord."],
  es: ['Sí, vale'],
  ja: ['はい。'],
  ko: ['네, 네.'],
  zh: ['好的，好'],
  ar: ['نعم'],
};

const cases = (lists: Record<string, readonly string[]>): (readonly [string, string])[] =>
  Object.entries(lists).flatMap(([code, all]) => all.map((words) => [words, code] as const));

test.each(cases(BACKCHANNELS))('treats %j (%s) as a backchannel even if the sound is long', (words, code) => {
  expect(only(code).isBackchannel(words)).toBe(true);
  expect(only(code).interrupts(words, 5_000)).toBe(false);
});

test.each(['No.', 'Yes, but not today', 'Okay, what does it cost?', 'हाँ लेकिन', 'Oslo', 'Friday'])(
  'treats %j as an interruption when the sound is long enough for the words',
  (words) => {
    expect(only('en').isBackchannel(words)).toBe(false);
    expect(only('en').interrupts(words, LONG_MS)).toBe(true);
  },
);

test('treats an empty string as neither a backchannel nor an interruption', () => {
  expect([only('en').isBackchannel(''), only('en').interrupts('', 5_000)]).toEqual([false, false]);
});

test.each([
  'And...',
  'In a month.',
  'In the moment.',
  'Hey, Kim.',
  'Emp.',
  'Out',
  'Friday',
  'Nowhere',
  'M10.',
])('does not treat %j as an interruption when the sound is too short for the words', (words) =>
  expect(only('en').interrupts(words, SHORT_MS)).toBe(false),
);

const CLEAR = {
  en: [
    'No.',
    'Stop!',
    'Wait',
    "Don't",
    'Sorry?',
    'Hello?',
    'Okay, wait',
    'What',
    'Yes, but how?',
    'रुको',
    'nahi',
  ],
  de: ['Nein', 'Warten Sie', 'Moment'],
  es: ['¿Qué?'],
  it: ['Aspetti!'],
  ja: ['待ってください'],
  ko: ['잠깐만요'],
  zh: ['等一下'],
  ar: ['لا'],
  tr: ['Hayır'],
};

test.each(cases(CLEAR))('treats %j (%s) as an interruption even if the sound is short', (words, code) =>
  expect(only(code).interrupts(words, 200)).toBe(true),
);

test.each([
  { first: 'sv', second: null, detects: false },
  { first: 'en', second: 'ta-IN', detects: false },
  { first: 'en', second: null, detects: true },
])('treats a short word as an interruption when a language without lists is possible: %j', (languages) => {
  const words = new OverlapWords(languages);
  expect(words.interrupts('Vänta', 200)).toBe(true);
  expect(words.interrupts('Hm.', 200)).toBe(false);
});

test.each([
  { first: null, second: null, detects: false },
  { first: 'en-IN', second: 'hi', detects: false },
  { first: 'de', second: 'pt-BR', detects: false },
])('ignores a short word when all languages have lists: %j', (languages) =>
  expect(new OverlapWords(languages).interrupts('Vänta', 200)).toBe(false),
);
