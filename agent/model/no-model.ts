/** Answers for an agent without a language model: from its FAQ, or with a sentence that says it has no answer. */
import { llm } from '@livekit/agents';
import { fixedSentence, isFixedSentence } from './fixed-sentences';
import type { Search } from './retrieval/search';
import type { Turn } from './turn';

/** Minimum share of the caller's words that must occur in an FAQ entry. A wrong answer is worse than none. */
const MIN_SHARE = 0.5;

/** Placeholder for the model that the SDK's session requires. It is never called. */
export class NoModel extends llm.LLM {
  override label(): string {
    return 'no-model';
  }

  override get model(): string {
    return 'none';
  }

  override get provider(): string {
    return 'none';
  }

  override chat(): llm.LLMStream {
    throw new Error('no language model is available');
  }
}

/** Returns the answer of the best FAQ entry, or null when no entry is similar enough. */
export function faqAnswer(questions: Search, words: string): string | null {
  const best = questions.find(words, 1)[0];
  return best !== undefined && best.share >= MIN_SHARE ? best.passage.text : null;
}

export function answerWithoutModel(questions: Search, turn: Turn, language: string | null): string {
  const answer = faqAnswer(questions, turn.words);
  if (answer !== null) return answer;
  const wasSaid = turn.said.some((text) => isFixedSentence('no-model', text));
  return fixedSentence(wasSaid ? 'no-answer' : 'no-model', language);
}
