/**
 * Decides whether a sound over the agent's speech interrupts it. The speech is held immediately and resumes if the sound turns out to be no
 * interruption; the SDK ends it when words are final.
 */

/** Time until the detector is sure that a sound begins speech: one of its windows, plus scheduling delay. */
const CERTAIN_WITHIN_MS = 100;
/** After the sound: wait for the first words of a recogniser with interim results. */
const FIRST_WORDS_MS = 500;
/** After the sound: recognising a whole utterance, or finalising words already heard, can take this long. */
const FINAL_WORDS_MS = 2_000;
/** From the end of recognition until its words arrive. */
const HANDED_OVER_MS = 100;
/** During the sound: a recogniser with interim results has words by then, so the sound is music or a machine. */
const NO_WORDS_MS = 1_500;
/** During the sound, when the recogniser has no interim results. */
const ANY_SOUND_MS = 10_000;

export interface InterruptionOptions {
  /** Whether the recogniser has interim results. */
  hasInterimWords: boolean;
  /** Holds the agent's speech. Returns false when there is none, or when it cannot be interrupted. */
  hold: () => boolean;
  /** Resumes held speech. Does nothing otherwise. */
  release: () => void;
}

export class Interruption {
  private timer: NodeJS.Timeout | null = null;
  private isSpeaking = false;
  private isHeld = false;
  private hasWords = false;

  constructor(private readonly options: InterruptionOptions) {}

  /** Called for a window of sound that may begin speech. */
  voiceHeard(): void {
    if (this.isSpeaking || this.isHeld) return;
    this.isHeld = this.options.hold();
    this.releaseAfter(CERTAIN_WITHIN_MS);
  }

  speechStarted(): void {
    this.clear();
    this.isSpeaking = true;
    this.hasWords = false;
    this.isHeld = this.options.hold();
    this.releaseAfter(this.options.hasInterimWords ? NO_WORDS_MS : ANY_SOUND_MS);
  }

  speechEnded(): void {
    this.isSpeaking = false;
    this.releaseAfter(this.options.hasInterimWords && !this.hasWords ? FIRST_WORDS_MS : FINAL_WORDS_MS);
  }

  /** Called for words that count as a turn, final or not. */
  wordsHeard(): void {
    this.hasWords = true;
    if (this.isSpeaking) this.releaseAfter(ANY_SOUND_MS);
    else this.releaseAfter(FINAL_WORDS_MS);
  }

  /** Called for final words that are not a turn, such as a backchannel. If the user is still speaking, more may follow. */
  wordsDropped(): void {
    if (!this.isSpeaking && !this.hasWords) this.releaseAfter(0);
  }

  /** Called when an utterance has been recognised; its words, if any, follow. */
  recognised(): void {
    if (!this.isSpeaking && !this.hasWords) this.releaseAfter(HANDED_OVER_MS);
  }

  stop(): void {
    this.clear();
    this.isHeld = false;
  }

  private releaseAfter(ms: number): void {
    if (!this.isHeld) return;
    this.clear();
    this.timer = setTimeout(() => {
      this.isHeld = false;
      this.options.release();
    }, ms);
  }

  private clear(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
