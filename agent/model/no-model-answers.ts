/** What an agent without a language model can do: answer from its list of questions, and say that it can do no more. */
import type { Search } from './retrieval/search';
import { fixedSentence, isFixedSentence } from './prompt/fixed-sentences';
import type { Turn } from './turn';

/** At least so much of what is asked must be in the question or its answer: a wrong answer is worse than none. */
const CERTAIN_SHARE = 0.5;

/** The answer to a question of the list; null where none is near enough. */
export function faqAnswer(questions: Search, words: string): string | null {
  const best = questions.find(words, 1)[0];
  return best !== undefined && best.share >= CERTAIN_SHARE ? best.passage.text : null;
}

export function answerWithoutModel(questions: Search, turn: Turn, language: string | null): string {
  const answer = faqAnswer(questions, turn.words);
  if (answer !== null) return answer;
  const wasSaid = turn.said.some((text) => isFixedSentence('no-model', text));
  return fixedSentence(wasSaid ? 'no-answer' : 'no-model', language);
}
