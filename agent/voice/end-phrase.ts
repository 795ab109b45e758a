/** Words that end the conversation, whoever says them. */
import type { AgentConfig } from '../../workflows/domain/agent-config';
import { valueAt } from '../../workflows/domain/json';
import { numberIn, textIn } from './fields';

export interface EndPhrase {
  phrase: string;
  /** From the end of the words that hold it, or of what the agent answers to them. */
  hangUpAfterMs: number;
}

const USUAL_SECONDS = 2;

/** Null where there is none. */
export function endPhraseOf(config: AgentConfig): EndPhrase | null {
  const stored = valueAt(config, 'experience', 'settings', 'end_call');
  const phrase = plain(textIn(valueAt(stored, 'end_call_phrase')));
  if (valueAt(stored, 'enabled') !== true || phrase === '') return null;
  const seconds = numberIn(valueAt(stored, 'hangup_timeout'), { least: 0, most: 60 }) ?? USUAL_SECONDS;
  return { phrase, hangUpAfterMs: seconds * 1000 };
}

/** Whole words; neither case nor punctuation matters. */
export const saysPhrase = (words: string, { phrase }: EndPhrase): boolean =>
  ` ${plain(words)} `.includes(` ${phrase} `);

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
