/** Ends the conversation some time after either party has said the configured phrase. */
import type { ResolvedConfig } from '../../../domain/agent-config';
import type { Speaker } from '../../../domain/transcript';
import { bareWords } from '../../model/words';

/** Extra time in which the agent can answer a user who said the phrase. */
const ANSWER_TIMEOUT_MS = 10_000;

interface EndPhrase {
  phrase: string;
  /** Starts at the end of the speech that contains the phrase or, if the user said it, at the end of the agent's answer. */
  hangUpAfterMs: number;
}

/** Returns null when no phrase is configured. */
export function endPhraseOf({ experience }: Pick<ResolvedConfig, 'experience'>): EndPhrase | null {
  const { enabled, end_call_phrase: words, hangup_timeout: seconds } = experience.settings.end_call;
  const phrase = plain(words);
  return enabled && phrase !== '' ? { phrase, hangUpAfterMs: seconds * 1000 } : null;
}

/** Matches whole words. Ignores case and punctuation. */
export const saysPhrase = (words: string, { phrase }: EndPhrase): boolean =>
  ` ${plain(words)} `.includes(` ${phrase} `);

const plain = (text: string): string => bareWords(text.toLowerCase());

export class EndPhraseTimer {
  private timer: NodeJS.Timeout | null = null;
  private isSaid = false;

  constructor(
    private readonly phrase: EndPhrase | null,
    private readonly onEnd: () => void,
  ) {}

  /** Agent segments arrive after they have been played, user segments as soon as they are recognised. */
  onSegment(speaker: Speaker, words: string): void {
    const { phrase } = this;
    if (phrase === null || this.isSaid || !saysPhrase(words, phrase)) return;
    this.isSaid = true;
    this.endAfter(phrase.hangUpAfterMs + (speaker === 'user' ? ANSWER_TIMEOUT_MS : 0));
  }

  /** Call this when the agent has finished speaking. */
  agentFinished(): void {
    if (this.isSaid && this.phrase !== null) this.endAfter(this.phrase.hangUpAfterMs);
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private endAfter(ms: number): void {
    this.stop();
    this.timer = setTimeout(this.onEnd, ms);
  }
}
