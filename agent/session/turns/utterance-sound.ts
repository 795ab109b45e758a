/**
 * Keeps the sound of one utterance for a recogniser of whole utterances. The SDK overwrites the beginning of its own buffer with the end
 * before it is read (livekit/agents-js#2254), so recognisers heard the last word twice and missed a soft first one.
 */
import { joined } from '../../audio/pcm';
import { frameOf, type SdkFrame } from '../../audio/sdk-frames';

/**
 * Windows of 32 ms to keep from before speech is detected, so that soft beginnings of words are included. Detection itself takes two of
 * them.
 */
const BEFORE = 18;
/** Windows of the silence after an utterance to keep for the next one. They must not repeat the last word. */
const BETWEEN = 4;
/** A minute. Later sound is not recognised. */
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
   * Returns the whole utterance with the silence that ended it, as one frame. The SDK joins several frames by copying everything through an
   * array of numbers for each.
   */
  end(): SdkFrame {
    const { windows } = this;
    this.isSpeaking = false;
    this.windows = windows.slice(-BETWEEN);
    return frameOf(joined(windows.map(({ data }) => data)), windows[0]?.sampleRate);
  }
}
