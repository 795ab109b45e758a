/**
 * Detects opt-outs such as "do not call me again" in English and Hindi, even if the language model misses them. Only accepts an unlimited
 * demand by the speaker, because a wrong entry on the do-not-disturb list blocks calls that the person expects.
 */
import { isCallbackRequest } from './callback';
import { isEnglishRefusal } from './do-not-call-english';
import { isHindiRefusal } from './do-not-call-hindi';
import { wordsOf } from './wording';

/** A part of a sentence between commas, with the words before and after it. */
interface Clause {
  text: string;
  before: string;
  after: string;
}

/** Returns whether the user opted out and did not request a callback afterwards. */
export function saysDoNotCall(userTexts: readonly string[]): boolean {
  const clauses = userTexts.flatMap(clausesOf);
  const said = clauses.findLastIndex(isRefusal);
  return said !== -1 && !clauses.slice(said + 1).some(({ text }) => isCallbackRequest(text));
}

function clausesOf(userText: string): Clause[] {
  return userText.split(/[.!?;।\n]+/).flatMap((sentence) => {
    const parts = sentence.split(',');
    const words = parts.map(wordsOf);
    return parts.map((text, at) => ({
      text,
      before: wordsOf(words.slice(0, at).join(' ')),
      after: wordsOf(words.slice(at + 1).join(' ')),
    }));
  });
}

function isRefusal({ text, before, after }: Clause): boolean {
  const words = wordsOf(text);
  return isEnglishRefusal(words, { before, after }) || isHindiRefusal(words, before);
}
