/** Builds the note that is inserted before a turn: matching passages, and the instruction to redirect when a guardrail requires it. */
import { fillTemplate } from '../../../domain/template';
import { type Entry, withinBudget } from '../entries';
import type { IgnoredSettings } from '../ignored-settings';
import type { Turn } from '../turn';
import { mainScript } from '../words';
import type { Passage } from './passages';
import { contentWords, searchOver, type Search } from './search';

const MAX_PASSAGES = 4;
const MAX_NOTE_CHARS = 3_500;
/** Below this share, a passage has little more than one word in common with the question. */
const MIN_SHARE = 0.25;
/** A question with at most this many words is searched together with the caller's previous words. */
const SHORT_QUESTION_WORDS = 2;
/** Limits the FAQ text in the instructions. */
const MAX_ANSWER_CHARS = 12_000;

const REDIRECT_NOTE =
  'The caller has brought up something that you do not talk about. Do not go into it: say so kindly in one sentence, and lead back to the purpose of the call.';

export function notesFrom(
  passages: readonly Passage[],
  variables: Readonly<Record<string, unknown>>,
): (turn: Turn, isRedirected: boolean) => string | null {
  const search = searchOver(passages);
  return (turn, isRedirected) => {
    const found = linesOf(relevant(search, turn) ?? faqInOtherScript(passages, turn));
    const notes = [
      ...(found.length === 0
        ? []
        : [`Passages that may help with what the caller says next:\n${found.join('\n')}`]),
      ...(isRedirected ? [REDIRECT_NOTE] : []),
    ];
    return notes.length === 0 ? null : fillTemplate(notes.join('\n\n'), variables);
  };
}

function relevant(search: Search, { words, wordsBefore }: Turn): Passage[] | null {
  const isShort = contentWords(words).length <= SHORT_QUESTION_WORDS;
  const found = search
    .find(isShort ? `${words} ${wordsBefore}` : words, MAX_PASSAGES)
    .filter(({ share }) => share >= MIN_SHARE)
    .map(({ passage }) => passage);
  return found.length === 0 ? null : found;
}

/**
 * Falls back to the FAQ when none of its entries is in the question's script. A question in Hindi shares no words with an English answer,
 * but the model can translate the answer.
 */
function faqInOtherScript(passages: readonly Passage[], { words }: Turn): Passage[] {
  const script = mainScript(words);
  if (script === null || contentWords(words).length === 0) return [];
  const answers = passages.filter(({ kind }) => kind === 'faq');
  return answers.some(({ title, text }) => mainScript(`${title} ${text}`) === script) ? [] : answers;
}

function linesOf(passages: readonly Passage[]): string[] {
  const lines = passages.map(({ title, text, kind }) =>
    kind === 'faq'
      ? `- Question: ${title}\n  Answer: ${text}`
      : `- ${title === '' ? '' : `${title}: `}${text}`,
  );
  return withinBudget(lines, (line) => line.length, MAX_NOTE_CHARS);
}

/** Returns the FAQ entries that fit into the instructions. */
export function answersWithinBudget(faq: readonly Entry[], ignored: IgnoredSettings): Entry[] {
  const fitting = withinBudget(faq, ({ name, text }) => name.length + text.length, MAX_ANSWER_CHARS);
  ignored.add(
    'training.know_how.faq',
    'beyond 12,000 characters without knowledge.use_rag',
    faq.length - fitting.length,
  );
  return fitting;
}
