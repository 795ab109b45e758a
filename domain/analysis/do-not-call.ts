/**
 * "Do not call me again", as it is said: English, and Hindi in both of its letters. Who says it is listed, whatever a model makes of the
 * call, so only what is certain counts: a demand of the speaker's own, without a limit. "Not now", "not before six", what others said and
 * what is said of others are for the model, whose yes lists too; a wrong entry ends calls that somebody waits for.
 */
import { isCallbackRequest } from './callback';
import { isEnglishRefusal } from './do-not-call-english';
import { isHindiRefusal } from './do-not-call-hindi';
import { wordsOf } from './wording';

/** What stands between two pauses, with the words of its sentence before and after it. */
interface Clause {
  text: string;
  before: string;
  after: string;
}

/** Whether the user said it, and asked for no call afterwards. */
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
