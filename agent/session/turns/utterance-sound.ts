/**
 * The sound of an utterance, for a recogniser of whole ones. The SDK's own is a view of a buffer whose first half second it overwrites with the
 * last one before anybody reads it (livekit/agents-js#2254): the recogniser heard the last word twice, and a soft first one not at all.
 */
import { joined } from '../../audio/pcm';
import { frameOf, type SdkFrame } from '../../audio/sdk-frames';

/** Windows of 32 ms. Before speech is noticed, its two windows included: soft beginnings of words. */
const BEFORE = 18;
/** Of the silence after an utterance, before the next one: not its last word again. */
const BETWEEN = 4;
/** A minute: what comes after it is not recognised. */
const MOST = 1_875;

export class UtteranceSound {
  private windows: SdkFrame[] = [];
  private isSpeaking = false;

  add(window: SdkFrame): void {
    if (this.windows.length < MOST) this.windows.push(window);
    if (!this.isSpeaking && this.windows.length > BEFORE) this.windows.shift();
  }

  start(): void {
    this.isSpeaking = true;
  }

  /**
   * All of it, with the silence by which its end was noticed. In one frame: the SDK joins several by copying all before each through an array
   * of numbers.
   */
  end(): SdkFrame {
    const { windows } = this;
    this.isSpeaking = false;
    this.windows = windows.slice(-BETWEEN);
    return frameOf(joined(windows.map(({ data }) => data)), windows[0]?.sampleRate);
  }
}
