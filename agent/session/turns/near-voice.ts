/** Extends the SDK's voice activity detector. While the agent speaks, it ignores voices that are much quieter than the user's. */
import { inference, VADEventType, type VADEvent } from '@livekit/agents';
import { joined, msOf, powerDecibels, type Samples } from '../../audio/pcm';
import { frameOf, type SdkFrame } from '../../audio/sdk-frames';

/**
 * Time by which the detector reports the end of a voice too late. The median of 48 sentences was 58 ms, and a quarter of them stayed below
 * this value. Without the correction, every silence that ends a turn would be longer than configured.
 */
export const VOICE_TAIL_MS = 44;
/** Probability above which the detector treats a window as speech. */
const SPEECH = 0.5;
/** A longer silence starts a new measurement. Recognisers return words within this time. */
const TOGETHER_MS = 2_000;
/** Number of 32 ms windows to keep from before speech is detected, because words can begin softly. Detection itself takes two of them. */
const WINDOWS_BEFORE = 18;
/** Number of silent windows after an utterance to keep for the next one. They must not contain the last word. */
const WINDOWS_BETWEEN = 4;
/** A minute of sound. Later sound of the same utterance is not recognised. */
const MAX_WINDOWS = 1_875;

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

/**
 * Filters the detector's events, moves the end of speech back to the last sound, and keeps the sound for recognisers. Speech counts as near
 * after its first near syllable, or when the agent is silent.
 */
export class NearSpeech {
  readonly sound = new UtteranceSound();
  private readonly level = new VoiceLevel();
  private readonly over = new OverlapDuration();
  private isFar = false;
  /** Start event of speech that has been far away so far. */
  private start: VADEvent | null = null;
  private isSpeaking = false;

  /**
   * `onVoice` is called for each window over the agent's speech that may begin an interruption, one window before the start event.
   * `isWithheld` returns true if recognisers must get silence for the window.
   */
  constructor(
    private readonly isAgentSpeaking: () => boolean,
    private readonly onVoice: () => void = () => undefined,
    private readonly isWithheld: (window: SdkFrame) => boolean = () => false,
  ) {}

  /** How long a near voice has spoken over the agent. */
  get overlapMs(): number {
    return this.over.ms;
  }

  /** Returns the events to pass on: none, the event itself, or a start that was held back followed by the event. */
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

  /** Handles a window before any start or end event that it causes. */
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
    // `frame.data` has one channel and does not have to be copied.
    this.level.add(frame.data, isVoiced && !isAgentSpeaking);
    if (isVoiced) this.isFar = isAgentSpeaking && this.level.isSyllableFar;
    const isVoice = isVoiced && (this.isSpeaking || !this.isFar);
    this.over.add(msOf(frame.data.length), { isVoice, isAgentSpeaking });
  }
}

const NOTHING_HEARD = { speaking: false, speechDuration: 0, rawAccumulatedSpeech: 0 } as const;

/** A recogniser of whole utterances. It shares this detector, because both hear the same sound. */
interface Follower {
  /** Returns true if the recogniser must not hear this window. */
  isWithheld(window: SdkFrame): boolean;
  /** Receives the next event and the sound of the utterance so far. */
  heard(event: VADEvent, sound: UtteranceSound): void;
}

export class NearVoiceDetector extends inference.VAD {
  /** True while the agent speaks. A distant voice must not interrupt it then. */
  isAgentSpeaking: () => boolean = () => false;
  /** Called for a window that may begin an interruption, 32 ms before the SDK reports the start of speech. */
  onVoice: () => void = () => undefined;
  private near: NearSpeech | null = null;
  private readonly followers = new Set<Follower>();

  constructor({ minSilenceMs }: { minSilenceMs: number }) {
    // `UtteranceSound` keeps the audio, so the SDK doesn't need its one-minute buffer.
    super({
      model: 'silero',
      minSilenceDuration: minSilenceMs,
      prefixPaddingDuration: 0,
      maxBufferedSpeech: 0,
    });
  }

  /** How long the user has spoken over the agent, in milliseconds of voice. */
  get overlapMs(): number {
    return this.near?.overlapMs ?? 0;
  }

  /** Returns a function that unsubscribes. */
  follow(follower: Follower): () => void {
    this.followers.add(follower);
    return () => void this.followers.delete(follower);
  }

  /** The session opens only one stream at a time. */
  override stream(): ReturnType<inference.VAD['stream']> {
    const stream = super.stream();
    const near = new NearSpeech(
      () => this.isAgentSpeaking(),
      () => this.onVoice(),
      // Every follower must get every window, because its result depends on earlier windows.
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

/** Measures how long the user has spoken over the agent. Very short sounds are rarely words, even if a recogniser returns some. */
export class OverlapDuration {
  private spoken = 0;
  private silent = 0;

  /** Milliseconds of voice, including about 60 ms that the detector adds. Reset when the agent falls silent. */
  get ms(): number {
    return this.spoken;
  }

  add(ms: number, { isVoice, isAgentSpeaking }: { isVoice: boolean; isAgentSpeaking: boolean }): void {
    if (!isAgentSpeaking || (isVoice && this.silent > TOGETHER_MS)) this.spoken = 0;
    this.silent = isVoice ? 0 : this.silent + ms;
    if (isVoice && isAgentSpeaking) this.spoken += ms;
  }
}

/**
 * Keeps the sound of one utterance for a recogniser of whole utterances. The SDK overwrites the beginning of its own buffer before it is
 * read (livekit/agents-js#2254), so recognisers heard the last word twice and missed a soft first word.
 */
export class UtteranceSound {
  private windows: SdkFrame[] = [];
  private isSpeaking = false;

  add(window: SdkFrame): void {
    if (this.windows.length < MAX_WINDOWS) this.windows.push(window);
    if (!this.isSpeaking && this.windows.length > WINDOWS_BEFORE) this.windows.shift();
  }

  start(): void {
    this.isSpeaking = true;
  }

  /**
   * Returns the whole utterance, including the silence that ended it, as one frame. With several frames, the SDK would copy everything
   * through an array of numbers for each frame.
   */
  end(): SdkFrame {
    const { windows } = this;
    this.isSpeaking = false;
    this.windows = windows.slice(-WINDOWS_BETWEEN);
    return frameOf(joined(windows.map(({ data }) => data)), windows[0]?.sampleRate);
  }
}

/** Tracks the level of the user's loud syllables, to distinguish the user's voice from voices in the background. */
class VoiceLevel {
  private level: number | null = null;
  private recent: readonly number[] = [];

  /** Adds the next window. `isUserVoice` is true if it is known to contain the user's voice. */
  add(window: Samples, isUserVoice: boolean): void {
    const power = emphasisedPower(window);
    this.recent = [...this.recent, power].slice(-SYLLABLE_WINDOWS);
    const decibels = powerDecibels(power);
    if (!isUserVoice || decibels < SILENT_DECIBELS) return;
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
