/** Tracks how loud the user is, to distinguish their voice from voices behind them. */
import { powerDecibels, type Samples } from '../../audio/pcm';

/** A leading "s" or "f" is 20 dB below the vowel after it. Subtracting this share of the previous sample reduces that to 14 dB. */
const EMPHASIS = 0.5;
/** Background voices are some 20 dB below the one at the microphone. Its own quiet syllables are 10 dB below its loud ones. */
const FAR_DECIBELS = 14;
/** Threshold for a syllable of 100 ms. The loudest background syllables stay below it. */
const FAR_SYLLABLE_DECIBELS = 12;
const SYLLABLE_WINDOWS = 3;
/** Adaptation per window of 32 ms: rises within a syllable, and falls within 15 s of quieter speech. */
const RISE = 0.2;
const FALL = 0.002;
/** The detector also reports speech shortly after a voice ends. On a silent line that would drag the level down without limit. */
const SILENT_DECIBELS = -66;

/** Follows the loud syllables of a voice. */
export class VoiceLevel {
  private level: number | null = null;
  private recent: readonly number[] = [];

  /** Adds the next window. `isTheirs` says that it's known to be the user's voice. */
  add(window: Samples, isTheirs: boolean): void {
    const power = emphasisedPower(window);
    this.recent = [...this.recent, power].slice(-SYLLABLE_WINDOWS);
    const decibels = powerDecibels(power);
    if (!isTheirs || decibels < SILENT_DECIBELS) return;
    const { level } = this;
    this.level = level === null ? decibels : level + (decibels > level ? RISE : FALL) * (decibels - level);
  }

  /** Whether the last window is far below the voice's level. False while the level is unknown. */
  get isWindowFar(): boolean {
    return this.isBelow(this.recent.at(-1) ?? 0, FAR_DECIBELS);
  }

  /** Whether the last syllable is far below the voice's level. */
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
