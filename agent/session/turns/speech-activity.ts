/** When the other side was heard last: by the detector of speech where there is one, else by how loud it is. */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 20;

export class SpeechActivity {
  private isSpeaking = false;
  private lastAt = performance.now();
  private from = Date.now();
  private to = Date.now();

  /** Of the detector. */
  setSpeaking(isSpeaking: boolean): void {
    this.isSpeaking = isSpeaking;
    this.lastAt = performance.now();
    if (isSpeaking) this.from = Date.now();
    else this.to = Date.now();
  }

  /** In milliseconds since the epoch. */
  get lastSpeech(): { from: number; to: number } {
    return { from: this.from, to: this.to };
  }

  /** Something was loud enough. */
  audioReceived(): void {
    this.lastAt = performance.now();
  }

  get isQuiet(): boolean {
    return !this.isSpeaking;
  }

  /** Resolves once nothing was heard for so long; at the limit in any case. */
  async waitForSilence(
    gapMs: number,
    { limitMs, signal }: { limitMs: number; signal: AbortSignal },
  ): Promise<void> {
    const until = performance.now() + limitMs;
    while (!signal.aborted && performance.now() < until) {
      if (this.isQuiet && performance.now() - this.lastAt >= gapMs) return;
      await sleep(POLL_INTERVAL_MS);
    }
  }
}
