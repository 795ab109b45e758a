/** How loud the remote party is, by which voices behind them are distinguished from theirs. */
import { powerDecibels, type Samples } from '../../audio/pcm';

/** A first "s" or "f" is 20 dB below the vowel after it, and 14 dB with this share of each sample taken from the next. */
const EMPHASIS = 0.5;
/** Voices in the background are some 20 dB below the one at the microphone, whose quiet syllables are 10 dB below its loud ones. */
const FAR_DECIBELS = 14;
/** Of a syllable, 100 ms: the loudest of the background stays below it. */
const FAR_SYLLABLE_DECIBELS = 12;
const SYLLABLE_WINDOWS = 3;
/** Per window of 32 ms: up within a syllable, down within a quarter of a minute of quieter speech. */
const RISE = 0.2;
const FALL = 0.002;
/** The detector takes what follows a voice for speech, and a silent line is endlessly far below it. */
const SILENT_DECIBELS = -66;

/** Follows the loud syllables of a voice. */
export class VoiceLevel {
  private level: number | null = null;
  private recent: readonly number[] = [];

  /** The next window; `isTheirs`: it is known to be the remote party's voice. */
  add(window: Samples, isTheirs: boolean): void {
    const power = emphasisedPower(window);
    this.recent = [...this.recent, power].slice(-SYLLABLE_WINDOWS);
    const decibels = powerDecibels(power);
    if (!isTheirs || decibels < SILENT_DECIBELS) return;
    const { level } = this;
    this.level = level === null ? decibels : level + (decibels > level ? RISE : FALL) * (decibels - level);
  }

  /** Whether the window is far below the voice. False while that is unknown. */
  get isWindowFar(): boolean {
    return this.isBelow(this.recent.at(-1) ?? 0, FAR_DECIBELS);
  }

  /** Whether the last syllable is. */
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
