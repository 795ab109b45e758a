/**
 * Voice activity detection for a recogniser of whole utterances. It reuses the session's detector, because judging each window twice cost 1
 * % of a core.
 */
import { VAD, VADEventType, VADStream, type VADEvent } from '@livekit/agents';
import { msOf, type Samples } from '../../audio/pcm';
import type { SdkFrame } from '../../audio/sdk-frames';
import type { NearVoiceDetector, UtteranceSound } from './near-voice';

/** The session's speech without the parts that recognisers must not hear. */
export class RecognisedSpeech {
  private isSpeaking = false;
  private hasBegun = false;
  private withheldMs = 0;

  /** An utterance ends when `minSilenceMs` of its sound was withheld. */
  constructor(private readonly minSilenceMs: number) {}

  /** Returns the start or end event for the recogniser, or null. */
  filter(
    event: VADEvent,
    { sound, isWithheld }: { sound: Pick<UtteranceSound, 'start' | 'end'>; isWithheld: boolean },
  ): VADEvent | null {
    if (event.type === VADEventType.END_OF_SPEECH) {
      const { hasBegun } = this;
      this.isSpeaking = this.hasBegun = false;
      return hasBegun ? event : null;
    }
    if (event.type === VADEventType.START_OF_SPEECH) this.isSpeaking = true;
    if (!this.isSpeaking) return null;
    this.withheldMs = isWithheld ? this.withheldMs + msOf(event.frames[0]?.data.length ?? 0) : 0;
    if (!this.hasBegun) {
      if (isWithheld) return null;
      this.hasBegun = true;
      sound.start();
      return { ...event, type: VADEventType.START_OF_SPEECH };
    }
    if (this.withheldMs < this.minSilenceMs) return null;
    this.hasBegun = false;
    const { withheldMs: silenceDuration } = this;
    return { ...event, type: VADEventType.END_OF_SPEECH, frames: [sound.end()], silenceDuration };
  }
}

export class UtteranceDetector extends VAD {
  override label = 'utterances-of-the-session';

  constructor(private readonly session: NearVoiceDetector) {
    super(session.capabilities);
  }

  override stream(): VADStream {
    return new UtteranceStream(this, this.session);
  }
}

class UtteranceStream extends VADStream {
  private isLineSilent = false;
  private readonly leave: () => void;

  constructor(parent: UtteranceDetector, session: NearVoiceDetector) {
    super(parent);
    const speech = new RecognisedSpeech(session.minSilenceDuration);
    let isWithheld = false;
    this.leave = session.follow({
      // When the recogniser gets silence but the detector hears a sound, the sound is withheld.
      isWithheld: (window) => (isWithheld = this.isLineSilent && (isWithheld || !isSilent(window.data))),
      heard: (event, sound) => {
        const passedOn = speech.filter(event, { sound, isWithheld });
        if (passedOn !== null) this.sendVADEvent(passedOn);
      },
    });
  }

  /** The SDK replaces the user's sound with silence while uninterruptible agent speech plays. The session's detector still hears it. */
  override pushFrame({ data }: SdkFrame): void {
    this.isLineSilent = isSilent(data);
  }

  override flush(): void {
    // Nothing to flush, because the session's VAD decides when an utterance ends.
  }

  override endInput(): void {
    this.leave();
  }

  override close(): void {
    this.leave();
    super.close();
  }
}

const isSilent = (samples: Samples): boolean => samples.every((sample) => sample === 0);
