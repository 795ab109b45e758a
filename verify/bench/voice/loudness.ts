/** How loud a track was, in steps of 10 ms on one clock: all that the measurements of conversations know of its sound. */
import { powerOf } from '../../../agent/audio/pcm';

export const STEP_MS = 10;
/** Longer without a step, and what was said meanwhile is unknown. */
const MOST_MISSING_MS = 250;

export interface LoudStep {
  /** Its beginning, by `performance.now()`. */
  atMs: number;
  /** Root mean square of 16-bit samples. */
  loudness: number;
}

export class TrackLoudness {
  private readonly recorded: LoudStep[] = [];

  /** Whole steps of samples, the first of which was heard, or said, at `atMs`. */
  add(samples: Int16Array, sampleRate: number, atMs: number): void {
    const length = (sampleRate * STEP_MS) / 1000;
    if (samples.length % length !== 0) throw new Error('a piece of a track is no whole number of steps');
    for (let at = 0, nth = 0; at < samples.length; at += length, nth += 1) {
      const loudness = Math.sqrt(powerOf(samples.subarray(at, at + length)));
      this.recorded.push({ atMs: atMs + nth * STEP_MS, loudness });
    }
  }

  get last(): LoudStep | null {
    return this.recorded.at(-1) ?? null;
  }

  /**
   * A track is played without a pause, so a step that came late is dated by those that followed at once. Null where some of the track is
   * missing between these instants.
   */
  between(fromMs: number, untilMs: number): LoudStep[] | null {
    const steps = this.recorded.map((step) => ({ ...step }));
    for (let nth = steps.length - 2; nth >= 0; nth -= 1) {
      const [step, next] = [steps[nth], steps[nth + 1]];
      if (step !== undefined && next !== undefined) step.atMs = Math.min(step.atMs, next.atMs - STEP_MS);
    }
    const within = steps.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
    const bounds = [fromMs, ...within.map(({ atMs }) => atMs), untilMs];
    const missingMs = Math.max(...bounds.slice(1).map((atMs, nth) => atMs - (bounds[nth] ?? atMs)));
    return missingMs > MOST_MISSING_MS ? null : within;
  }
}
