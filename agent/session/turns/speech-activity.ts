/** When the remote party last spoke: by voice activity detection if there is any, else by loudness. */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 20;

export class SpeechActivity {
  private isSpeaking = false;
  private lastAt = performance.now();
  private from = Date.now();
  private to = Date.now();

  /** From voice activity detection. */
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

  /** Since the last speech; 0 during speech. */
  get quietMs(): number {
    return this.isSpeaking ? 0 : performance.now() - this.lastAt;
  }

  /** Audio above the noise level was received. */
  audioReceived(): void {
    this.lastAt = performance.now();
  }

  get isQuiet(): boolean {
    return !this.isSpeaking;
  }

  /** Resolves after so much silence; at the limit in any case. */
  async waitForSilence(
    gapMs: number,
    { limitMs, signal }: { limitMs: number; signal: AbortSignal },
  ): Promise<void> {
    const until = performance.now() + limitMs;
    while (!signal.aborted && performance.now() < until) {
      if (this.isQuiet && this.quietMs >= gapMs) return;
      await sleep(POLL_INTERVAL_MS);
    }
  }
}
