import { CALL_ME_BACK, REFUSAL_AFTER, REFUSAL_BEFORE } from './phrases';
import { wordsOf } from './wording';

/** Returns whether a sentence of the user requests a callback without refusing it. */
export function asksForCallback(userTexts: readonly string[]): boolean {
  return sentencesOf(userTexts).some(isCallbackRequest);
}

/** Returns the user's last text that requests a callback, because people correct themselves. */
export function callbackRequest(userTexts: readonly string[]): string | null {
  return userTexts.filter((text) => asksForCallback([text])).at(-1) ?? null;
}

/** Splits at commas as well, and at the danda of Hindi. */
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
