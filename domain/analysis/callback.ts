import { CALL_ME_BACK, REFUSAL_AFTER, REFUSAL_BEFORE } from './phrases';
import { wordsOf } from './wording';

/** Returns whether any sentence of the user requests a callback without refusing it. */
export function asksForCallback(userTexts: readonly string[]): boolean {
  return sentencesOf(userTexts).some(isCallbackRequest);
}

/** Returns the user's last utterance that requests a callback. The last one counts because people correct themselves. */
export function callbackRequest(userTexts: readonly string[]): string | null {
  return userTexts.filter((text) => asksForCallback([text])).at(-1) ?? null;
}

/** Also splits at commas and at the Hindi danda. */
const sentencesOf = (userTexts: readonly string[]): string[] =>
  userTexts.flatMap((text) => text.split(/[.!?;,।]+/));

export function isCallbackRequest(sentence: string): boolean {
  const words = wordsOf(sentence);
  return CALL_ME_BACK.some((phrase) => {
    const at = words.indexOf(` ${phrase} `);
    if (at === -1) return false;
    const before = words.slice(0, at + 1);
    const after = words.slice(at + phrase.length + 1);
    return (
      !REFUSAL_BEFORE.some((refusal) => before.includes(` ${refusal} `)) &&
      !REFUSAL_AFTER.some((refusal) => after.includes(` ${refusal} `))
    );
  });
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SOONEST_MS = MINUTE_MS;
const LATEST_MS = 7 * DAY_MS;

const UNITS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: MINUTE_MS,
  min: MINUTE_MS,
  hour: HOUR_MS,
  hr: HOUR_MS,
  ghanta: HOUR_MS,
  ghante: HOUR_MS,
  day: DAY_MS,
  din: DAY_MS,
  week: 7 * DAY_MS,
};

/** Number words in English and Latin-letter Hindi. */
const COUNTS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  ek: 1,
  'a couple of': 2,
  two: 2,
  do: 2,
  three: 3,
  teen: 3,
  'a few': 5,
  four: 4,
  char: 4,
  five: 5,
  paanch: 5,
  panch: 5,
  six: 6,
  chhe: 6,
  seven: 7,
  saat: 7,
  eight: 8,
  aath: 8,
  nine: 9,
  nau: 9,
  ten: 10,
  das: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  pandrah: 15,
  twenty: 20,
  bees: 20,
  'twenty five': 25,
  thirty: 30,
  tees: 30,
  'thirty five': 35,
  forty: 40,
  'forty five': 45,
  fifty: 50,
  'fifty five': 55,
  'half an': 0.5,
  'half a': 0.5,
  aadhe: 0.5,
  aadha: 0.5,
};

const longestFirst = (words: readonly string[]): string =>
  [...words].sort((one, other) => other.length - one.length).join('|');

const SPAN = new RegExp(
  ` (${longestFirst(Object.keys(COUNTS))}|\\d{1,3}) (${longestFirst(Object.keys(UNITS))})s? `,
);

/**
 * Returns the delay until `at`, clamped to between a minute and a week. Returns null for an instant in the past, which must be a
 * misunderstanding.
 */
export function delayUntil(at: number | null, now: number): number | null {
  if (at === null || at <= now) return null;
  return Math.min(Math.max(at - now, SOONEST_MS), LATEST_MS);
}

/**
 * Returns the delay that a person named, such as "after two hours" or "tomorrow", clamped to between a minute and a week. Returns null if
 * they named no time.
 */
export function callbackDelayMs(text: string): number | null {
  const words = wordsOf(text);
  const span = SPAN.exec(words);
  if (span !== null) {
    const [, count = '', unit = ''] = span;
    const delayMs = (COUNTS[count] ?? Number(count)) * (UNITS[unit] ?? MINUTE_MS);
    return Math.min(Math.max(delayMs, SOONEST_MS), LATEST_MS);
  }
  if (words.includes(' day after tomorrow ') || words.includes(' parso ')) return 2 * DAY_MS;
  if (words.includes(' tomorrow ') || words.includes(' kal ')) return DAY_MS;
  return words.includes(' next week ') ? LATEST_MS : null;
}
