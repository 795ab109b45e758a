/** Tracks how loud the user is, to distinguish the user's voice from voices in the background. */
import { powerDecibels, type Samples } from '../../audio/pcm';

/**
 * Share of the previous sample to subtract. A leading "s" or "f" is 20 dB quieter than the vowel after it, and this reduces the difference
 * to 14 dB.
 */
const EMPHASIS = 0.5;
/**
 * Background voices are about 20 dB quieter than the voice at the microphone. The quiet syllables of that voice are 10 dB quieter than its
 * loud ones.
 */
const FAR_DECIBELS = 14;
/** Threshold for a syllable of 100 ms. Even the loudest background syllables stay below it. */
const FAR_SYLLABLE_DECIBELS = 12;
const SYLLABLE_WINDOWS = 3;
/** Adaptation per window of 32 ms. The level rises within a syllable and falls within 15 s of quieter speech. */
const RISE = 0.2;
const FALL = 0.002;
/**
 * Quieter windows are ignored. The detector also reports speech shortly after a voice ends, and on a silent line this would lower the level
 * without limit.
 */
const SILENT_DECIBELS = -66;

/** Follows the loudness of a voice's loud syllables. */
export class VoiceLevel {
  private level: number | null = null;
  private recent: readonly number[] = [];

  /** Adds the next window. `isTheirs` is true if it is known to contain the user's voice. */
  add(window: Samples, isTheirs: boolean): void {
    const power = emphasisedPower(window);
    this.recent = [...this.recent, power].slice(-SYLLABLE_WINDOWS);
    const decibels = powerDecibels(power);
    if (!isTheirs || decibels < SILENT_DECIBELS) return;
    const { level } = this;
    this.level = level === null ? decibels : level + (decibels > level ? RISE : FALL) * (decibels - level);
  }

  /** True if the last window is far below the voice's level. False while the level is unknown. */
  get isWindowFar(): boolean {
    return this.isBelow(this.recent.at(-1) ?? 0, FAR_DECIBELS);
  }

  /** True if the last syllable is far below the voice's level. */
  get isSyllableFar(): boolean {
    const sum = this.recent.reduce((all, power) => all + power, 0);
    return this.isBelow(sum / SYLLABLE_WINDOWS, FAR_SYLLABLE_DECIBELS);
  }

  private isBelow(power: number, decibels: number): boolean {
    return this.level !== null && powerDecibels(power) < this.level - decibels;
  }
}

function emphasisedPower(window: Samples): number {
  let [sum, before] = [0, window[0] ?? 0];
  for (const sample of window) {
    sum += (sample - EMPHASIS * before) ** 2;
    before = sample;
  }
  return window.length === 0 ? 0 : sum / window.length;
}
