/** Ends the conversation some time after the end-call phrase. */
import type { Speaker } from '../../../domain/transcript';
import { saysPhrase, type EndPhrase } from './end-phrase';

/** For an answer to a remote party that said the phrase. */
const ANSWERED_WITHIN_MS = 10_000;

export class EndPhraseTimer {
  private timer: NodeJS.Timeout | null = null;
  private isSaid = false;

  constructor(
    private readonly phrase: EndPhrase | null,
    private readonly onEnd: () => void,
  ) {}

  /** The agent's words once they were played; the remote party's as they are recognised. */
  onSegment(speaker: Speaker, words: string): void {
    const { phrase } = this;
    if (phrase === null || this.isSaid || !saysPhrase(words, phrase)) return;
    this.isSaid = true;
    this.endAfter(phrase.hangUpAfterMs + (speaker === 'user' ? ANSWERED_WITHIN_MS : 0));
  }

  /** The agent has finished speaking. */
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
