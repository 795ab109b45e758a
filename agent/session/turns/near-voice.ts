/** The SDK's voice detector, which leaves out voices that are far quieter than the remote party's while the agent speaks. */
import { inference, VADEventType, type VADEvent } from '@livekit/agents';
import { decibelsOf } from '../../audio/pcm';
import { soundOf } from '../../audio/sdk-frames';

/**
 * How long the detector still takes a voice for speech after its last sound: 58 ms at the median of 48 sentences of the local voice, and
 * less than this at every fourth. The silence that ends a turn would be so much longer than it is said to be.
 */
export const VOICE_TAIL_MS = 44;
/** From which probability on the detector takes a window for speech. */
const SPEECH = 0.5;
/** Voices in the background are some 20 dB below the one at the microphone, whose quiet syllables are 10 dB below its loud ones. */
const FAR_DECIBELS = 14;
/** Per window of 32 ms: up within a syllable, down within a quarter of a minute of quieter speech. */
const RISE = 0.2;
const FALL = 0.002;

/** Follows the loud syllables of a voice. */
export class VoiceLevel {
  private level: number | null = null;

  add(decibels: number): void {
    const { level } = this;
    this.level = level === null ? decibels : level + (decibels > level ? RISE : FALL) * (decibels - level);
  }

  /** False while the level is unknown. */
  isFar(decibels: number): boolean {
    return this.level !== null && decibels < this.level - FAR_DECIBELS;
  }
}

/** Filters the detector's events, and dates the end of speech by its last sound. Speech is near from its first window that is, or once the agent is silent; then all of it counts. */
export class NearSpeech {
  private readonly level = new VoiceLevel();
  private isFar = false;
  /** The start of speech that has been far so far. */
  private start: VADEvent | null = null;
  private isSpeaking = false;

  /** `onVoice`: a window over the agent may begin speech; the start of it, if it is, comes with the next. */
  constructor(
    private readonly isAgentSpeaking: () => boolean,
    private readonly onVoice: () => void = () => undefined,
  ) {}

  /** What remains: nothing, the event, or before it the start that was kept back. */
  filter(event: VADEvent): readonly VADEvent[] {
    if (event.type === VADEventType.INFERENCE_DONE) return this.window(event);
    if (event.type === VADEventType.START_OF_SPEECH) {
      this.isSpeaking = !this.isFar;
      this.start = this.isFar ? event : null;
      return this.isFar ? [] : [event];
    }
    if (event.type !== VADEventType.END_OF_SPEECH) return [event];
    const isLeftOut = this.start !== null;
    this.start = null;
    this.isSpeaking = false;
    return isLeftOut ? [] : [{ ...event, silenceDuration: event.silenceDuration + VOICE_TAIL_MS }];
  }

  /** Comes before the start or end that it causes. */
  private window(event: VADEvent): readonly VADEvent[] {
    const isVoiced = event.probability >= SPEECH;
    if (isVoiced) {
      const [frame] = event.frames;
      const decibels = frame === undefined ? -Infinity : decibelsOf(soundOf(frame));
      if (!this.isAgentSpeaking()) this.level.add(decibels);
      this.isFar = this.isAgentSpeaking() && this.level.isFar(decibels);
    }
    const { start } = this;
    if (this.isSpeaking) return [event];
    if (isVoiced && !this.isFar && this.isAgentSpeaking()) this.onVoice();
    if (start === null) return [isVoiced && this.isFar ? { ...event, ...NOTHING_HEARD } : event];
    if (!isVoiced || this.isFar) return [{ ...event, ...NOTHING_HEARD }];
    this.start = null;
    this.isSpeaking = true;
    return [{ ...start, speechDuration: event.speechDuration }, event];
  }
}

const NOTHING_HEARD = { speaking: false, speechDuration: 0, rawAccumulatedSpeech: 0 } as const;

export class NearVoiceDetector extends inference.VAD {
  /** Whose speech a distant voice is not to interrupt. */
  isAgentSpeaking: () => boolean = () => false;
  /** A window that may begin an interruption: 32 ms before the SDK has the start of speech. */
  onVoice: () => void = () => undefined;

  override stream(): ReturnType<inference.VAD['stream']> {
    const stream = super.stream();
    const near = new NearSpeech(
      () => this.isAgentSpeaking(),
      () => this.onVoice(),
    );
    const next = stream.next.bind(stream);
    const waiting: VADEvent[] = [];
    stream.next = async () => {
      for (;;) {
        const value = waiting.shift();
        if (value !== undefined) return { done: false, value };
        const result = await next();
        if (result.done === true) return result;
        waiting.push(...near.filter(result.value));
      }
    };
    return stream;
  }
}
