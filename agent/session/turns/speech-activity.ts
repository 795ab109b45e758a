/** Tracks when the user last spoke, by voice activity detection if available, or else by loudness. */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 20;

export class SpeechActivity {
  private isSpeaking = false;
  private lastAt = performance.now();
  private from = Date.now();
  private to = Date.now();

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

  /** Time since the last speech. 0 during speech. */
  get quietMs(): number {
    return this.isSpeaking ? 0 : performance.now() - this.lastAt;
  }

  /** Call this for received audio that is louder than the noise level. */
  audioReceived(): void {
    this.lastAt = performance.now();
  }

  get isQuiet(): boolean {
    return !this.isSpeaking;
  }

  /** Resolves after `gapMs` of silence, or when the time limit has passed. */
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
