/** The phrase that ends the conversation when either party says it. */
import type { ResolvedConfig } from '../../../domain/agent-config';
import { bareWords } from '../../model/words';

export interface EndPhrase {
  phrase: string;
  /** Counts from the end of the speech that contains the phrase, or of the agent's answer to it. */
  hangUpAfterMs: number;
}

/** Returns null when no phrase is configured. */
export function endPhraseOf({ experience }: Pick<ResolvedConfig, 'experience'>): EndPhrase | null {
  const { enabled, end_call_phrase: words, hangup_timeout: seconds } = experience.settings.end_call;
  const phrase = plain(words);
  return enabled && phrase !== '' ? { phrase, hangUpAfterMs: seconds * 1000 } : null;
}

/** Matches whole words, ignoring case and punctuation. */
export const saysPhrase = (words: string, { phrase }: EndPhrase): boolean =>
  ` ${plain(words)} `.includes(` ${phrase} `);

const plain = (text: string): string => bareWords(text.toLowerCase());
