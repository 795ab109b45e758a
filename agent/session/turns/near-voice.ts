/** The SDK's voice detector, which leaves out voices that are far quieter than the remote party's while the agent speaks. */
import { inference, VADEventType, type VADEvent } from '@livekit/agents';
import { msOf } from '../../audio/pcm';
import { frameOf, type SdkFrame } from '../../audio/sdk-frames';
import { SpokenOver } from './spoken-over';
import { UtteranceSound } from './utterance-sound';
import { VoiceLevel } from './voice-level';

/**
 * How long the detector still takes a voice for speech after its last sound: 58 ms at the median of 48 sentences of the local voice, and
 * less than this at every fourth. The silence that ends a turn would be so much longer than it is said to be.
 */
export const VOICE_TAIL_MS = 44;
/** From which probability on the detector takes a window for speech. */
const SPEECH = 0.5;

/**
 * Filters the detector's events, dates the end of speech by its last sound, and passes on the sound itself. Speech is near from its first
 * syllable that is, or once the agent is silent; then all of it counts.
 */
export class NearSpeech {
  readonly sound = new UtteranceSound();
  private readonly level = new VoiceLevel();
  private readonly over = new SpokenOver();
  private isFar = false;
  /** The start of speech that has been far so far. */
  private start: VADEvent | null = null;
  private isSpeaking = false;

  /**
   * `onVoice`: a window over the agent may begin speech; the start of it, if it is, comes with the next. `isWithheld`: recognisers are to have
   * silence in place of the window.
   */
  constructor(
    private readonly isAgentSpeaking: () => boolean,
    private readonly onVoice: () => void = () => undefined,
    private readonly isWithheld: (window: SdkFrame) => boolean = () => false,
  ) {}

  /** How long a near voice has spoken over the agent. */
  get spokenOverMs(): number {
    return this.over.ms;
  }

  /** What remains: nothing, the event, or before it the start that was kept back. */
  filter(event: VADEvent): readonly VADEvent[] {
    if (event.type === VADEventType.INFERENCE_DONE) return this.window(event);
    if (event.type === VADEventType.START_OF_SPEECH) {
      this.sound.start();
      this.isSpeaking = !this.isFar;
      this.start = this.isFar ? event : null;
      return this.isFar ? [] : [event];
    }
    if (event.type !== VADEventType.END_OF_SPEECH) return [event];
    const frames = [this.sound.end()];
    const isLeftOut = this.start !== null;
    this.start = null;
    this.isSpeaking = false;
    if (isLeftOut) return [];
    return [{ ...event, frames, silenceDuration: event.silenceDuration + VOICE_TAIL_MS }];
  }

  /** Comes before the start or end that it causes. */
  private window(event: VADEvent): readonly VADEvent[] {
    const isVoiced = event.probability >= SPEECH;
    const isAgentSpeaking = this.isAgentSpeaking();
    this.judge(event, { isVoiced, isAgentSpeaking });
    const { start } = this;
    if (this.isSpeaking) return [event];
    if (isVoiced && isAgentSpeaking && !this.level.isWindowFar) this.onVoice();
    if (start === null) return [isVoiced && this.isFar ? { ...event, ...NOTHING_HEARD } : event];
    if (!isVoiced || this.isFar) return [{ ...event, ...NOTHING_HEARD }];
    this.start = null;
    this.isSpeaking = true;
    return [{ ...start, speechDuration: event.speechDuration }, event];
  }

  private judge({ frames: [frame] }: VADEvent, now: { isVoiced: boolean; isAgentSpeaking: boolean }): void {
    if (frame === undefined) return;
    const { isVoiced, isAgentSpeaking } = now;
    this.sound.add(this.isWithheld(frame) ? frameOf(new Int16Array(frame.data.length)) : frame);
    // Of one channel, and not copied.
    this.level.add(frame.data, isVoiced && !isAgentSpeaking);
    if (isVoiced) this.isFar = isAgentSpeaking && this.level.isSyllableFar;
    const isVoice = isVoiced && (this.isSpeaking || !this.isFar);
    this.over.add(msOf(frame.data.length), { isVoice, isAgentSpeaking });
  }
}

const NOTHING_HEARD = { speaking: false, speechDuration: 0, rawAccumulatedSpeech: 0 } as const;

/** A recogniser of whole utterances, which needs no detector of its own: both hear the same sound. */
export interface Follower {
  /** A window that the session hears and the recogniser does not. */
  isWithheld(window: SdkFrame): boolean;
  /** What the session hears next, and the sound of the utterance so far. */
  heard(event: VADEvent, sound: UtteranceSound): void;
}

export class NearVoiceDetector extends inference.VAD {
  /** Whose speech a distant voice is not to interrupt. */
  isAgentSpeaking: () => boolean = () => false;
  /** A window that may begin an interruption: 32 ms before the SDK has the start of speech. */
  onVoice: () => void = () => undefined;
  private near: NearSpeech | null = null;
  private readonly followers = new Set<Follower>();

  constructor({ minSilenceMs }: { minSilenceMs: number }) {
    // `UtteranceSound` keeps what was said: the SDK's own buffer of a minute would be written and not read.
    super({
      model: 'silero',
      minSilenceDuration: minSilenceMs,
      prefixPaddingDuration: 0,
      maxBufferedSpeech: 0,
    });
  }

  /** How long the remote party has spoken over the agent, in milliseconds of voice. */
  get spokenOverMs(): number {
    return this.near?.spokenOverMs ?? 0;
  }

  /** Returns how it ends. */
  follow(follower: Follower): () => void {
    this.followers.add(follower);
    return () => void this.followers.delete(follower);
  }

  /** The session's, of which there is one at a time. */
  override stream(): ReturnType<inference.VAD['stream']> {
    const stream = super.stream();
    const near = new NearSpeech(
      () => this.isAgentSpeaking(),
      () => this.onVoice(),
      // Each is asked for every window: what it withholds follows from those before.
      (window) => [...this.followers].map((one) => one.isWithheld(window)).includes(true),
    );
    this.near = near;
    const next = stream.next.bind(stream);
    const waiting: VADEvent[] = [];
    stream.next = async () => {
      for (;;) {
        const value = waiting.shift();
        if (value !== undefined) return { done: false, value };
        const result = await next();
        if (result.done === true) return result;
        for (const event of near.filter(result.value)) {
          for (const one of this.followers) one.heard(event, near.sound);
          waiting.push(event);
        }
      }
    };
    return stream;
  }
}
