/**
 * What happens to the agent's speech when the remote party makes a sound over it: it is held at once, and goes on where the sound turns out to
 * be no interruption. The SDK ends it for good when words are final.
 */

/** Until the detector is sure that a sound begins speech: one window of its, with the time that processes may be late. */
const CERTAIN_WITHIN_MS = 100;
/** After the sound, for the first words of a recogniser that has them while they are spoken. */
const FIRST_WORDS_MS = 500;
/** After the sound: recognition of a whole utterance may take as long, and words that were heard may become final as late. */
const FINAL_WORDS_MS = 2_000;
/** From the end of recognition until its words arrive. */
const HANDED_OVER_MS = 100;
/** During the sound: music and machines go on, and no recogniser that has words while they are spoken is as late. */
const NO_WORDS_MS = 1_500;
/** During the sound, where there are no words before its end. */
const ANY_SOUND_MS = 10_000;

export interface InterruptionOptions {
  /** The recogniser has words while they are spoken. */
  hasInterimWords: boolean;
  /** Silences the agent's speech. Returns false where there is none, and where it may not be interrupted. */
  hold: () => boolean;
  /** Speaks on. Without effect on what is not held. */
  release: () => void;
}

export class Interruption {
  private timer: NodeJS.Timeout | null = null;
  private isSpeaking = false;
  private isHeld = false;
  private hasWords = false;

  constructor(private readonly options: InterruptionOptions) {}

  /** A window of sound that may begin speech. */
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

  /** Words that are a turn, final or not. */
  wordsHeard(): void {
    this.hasWords = true;
    if (this.isSpeaking) this.releaseAfter(ANY_SOUND_MS);
    else this.releaseAfter(FINAL_WORDS_MS);
  }

  /** Final words that are no turn, such as a backchannel. Somebody who is still speaking may go on with more than that. */
  overheard(): void {
    if (!this.isSpeaking && !this.hasWords) this.releaseAfter(0);
  }

  /** The recogniser is through with an utterance; its words, if any, follow. */
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
