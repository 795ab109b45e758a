/** Ends the conversation some time after the end-call phrase was said. */
import type { Speaker } from '../../../domain/transcript';
import { saysPhrase, type EndPhrase } from './end-phrase';

/** Extra time for the agent to answer a user who said the phrase. */
const ANSWERED_WITHIN_MS = 10_000;

export class EndPhraseTimer {
  private timer: NodeJS.Timeout | null = null;
  private isSaid = false;

  constructor(
    private readonly phrase: EndPhrase | null,
    private readonly onEnd: () => void,
  ) {}

  /** The agent's segments arrive once they are played, the user's as they are recognised. */
  onSegment(speaker: Speaker, words: string): void {
    const { phrase } = this;
    if (phrase === null || this.isSaid || !saysPhrase(words, phrase)) return;
    this.isSaid = true;
    this.endAfter(phrase.hangUpAfterMs + (speaker === 'user' ? ANSWERED_WITHIN_MS : 0));
  }

  /** Called when the agent has finished speaking. */
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
