/** Handles sounds that the user makes while the agent speaks. Pauses the agent's speech and filters the recognised words. */
import { type ReadableStream, TransformStream } from 'node:stream/web';
import { type metrics, stt } from '@livekit/agents';
import type { Languages } from '../../providers/languages';
import type { RoomAudioOutput } from '../voice/room-audio';
import type { SessionModels } from '../voice/session-models';
import { OverlapWords } from './overlap-words';
import type { SpeechActivity } from './speech-activity';

/** When the agent has less than this left to say, the user's words can already be an answer. */
const END_OF_SPEECH_MS = 1_000;
/** Recognisers always return words within this time. */
const RECOGNITION_TIMEOUT_MS = 3_000;
/** Time until the detector knows whether a sound begins speech: one detector window plus scheduling delay. */
const DETECTION_TIMEOUT_MS = 100;
/** Wait after the sound for the first words of a recogniser with interim results. */
const FIRST_WORDS_MS = 500;
/** Wait after the sound for a recogniser to process a whole utterance or to finalise words. */
const FINAL_WORDS_MS = 2_000;
/** Time between the end of recognition and the arrival of its words. */
const HANDED_OVER_MS = 100;
/** A recogniser with interim results returns words within this time. A longer sound without words is music or a machine. */
const NO_WORDS_MS = 1_500;
/** How long to hold the agent's speech during a sound if the recogniser has no interim results or has already returned words. */
const ANY_SOUND_MS = 10_000;

type Recognised = stt.SpeechEvent | string;

interface OverlapOptions {
  models: Pick<SessionModels, 'stt' | 'vad'>;
  output: RoomAudioOutput | null;
  speechActivity: SpeechActivity;
  languages: Languages;
  /** Also true while the agent's speech is held. */
  isAgentSpeaking: () => boolean;
}

export class Overlap {
  private readonly interruption: Interruption;
  private uninterruptible = 0;

  constructor(private readonly options: OverlapOptions) {
    const { models, output, isAgentSpeaking } = options;
    models.vad.isAgentSpeaking = isAgentSpeaking;
    this.interruption = new Interruption({
      hasInterimWords: models.stt?.capabilities.interimResults === true,
      hold: () => this.uninterruptible === 0 && output?.hold() === true,
      release: () => output?.release(),
    });
    models.vad.onVoice = () => this.interruption.voiceHeard();
  }

  setSpeaking(isSpeaking: boolean): void {
    if (isSpeaking) this.interruption.speechStarted();
    else this.interruption.speechEnded();
  }

  /** Removes recognised words to which the agent must not react. */
  filter(recognised: ReadableStream<Recognised>): ReadableStream<Recognised> {
    const { options, interruption } = this;
    return withoutBackchannels(recognised, {
      isAgentSpeaking: () =>
        options.isAgentSpeaking() && (options.output?.remainingMs ?? Infinity) > END_OF_SPEECH_MS,
      isQuiet: () => options.speechActivity.quietMs > RECOGNITION_TIMEOUT_MS,
      words: new OverlapWords(options.languages),
      spokenMs: () => options.models.vad.overlapMs,
      onWords: () => interruption.wordsHeard(),
      onDropped: () => interruption.wordsDropped(),
    });
  }

  onMetrics(measure: metrics.AgentMetrics): void {
    if (measure.type === 'stt_metrics' && !measure.streamed) this.interruption.recognised();
  }

  /** Keeps the agent speaking until `speech` is over, even if the user speaks. */
  async ignoreDuring(speech: Promise<void>): Promise<void> {
    this.uninterruptible += 1;
    this.options.output?.release();
    try {
      await speech;
    } finally {
      this.uninterruptible -= 1;
    }
  }

  stop(): void {
    this.interruption.stop();
  }
}

interface InterruptionOptions {
  /** True if the recogniser has interim results. */
  hasInterimWords: boolean;
  /** Holds the agent's speech. Returns false when there is none or it can't be interrupted. */
  hold: () => boolean;
  /** Resumes speech that is held. Does nothing if no speech is held. */
  release: () => void;
}

/**
 * Decides whether a sound interrupts the agent's speech: holds the speech immediately, and resumes it if the sound was no interruption. The
 * SDK ends the speech when words become final.
 */
export class Interruption {
  private timer: NodeJS.Timeout | null = null;
  private isSpeaking = false;
  private isHeld = false;
  private hasWords = false;

  constructor(private readonly options: InterruptionOptions) {}

  /** Call this for each window of sound that may begin speech. */
  voiceHeard(): void {
    if (this.isSpeaking || this.isHeld) return;
    this.isHeld = this.options.hold();
    this.releaseAfter(DETECTION_TIMEOUT_MS);
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

  /** Call this for words that interrupt the agent, final or not. */
  wordsHeard(): void {
    this.hasWords = true;
    if (this.isSpeaking) this.releaseAfter(ANY_SOUND_MS);
    else this.releaseAfter(FINAL_WORDS_MS);
  }

  /**
   * Call this for final words that don't interrupt the agent, such as a backchannel. More words can follow if the user is still speaking.
   */
  wordsDropped(): void {
    if (!this.isSpeaking && !this.hasWords) this.releaseAfter(0);
  }

  /** Call this when an utterance was recognised. Its words, if any, arrive afterwards. */
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

const TRANSCRIPTS: ReadonlySet<stt.SpeechEventType> = new Set([
  stt.SpeechEventType.INTERIM_TRANSCRIPT,
  stt.SpeechEventType.PREFLIGHT_TRANSCRIPT,
  stt.SpeechEventType.FINAL_TRANSCRIPT,
]);

export interface OverAgent {
  /** True while the agent speaks and has more left than the end of a sentence. At the end of a sentence, a "yes" is an answer. */
  isAgentSpeaking: () => boolean;
  /** True if the user has been silent for a while, so that the recognised words come from a distant voice. */
  isQuiet: () => boolean;
  words: OverlapWords;
  /** How long the user has spoken over the agent. */
  spokenMs: () => number;
  /** Called for words that interrupt the agent, final or not. */
  onWords: () => void;
  /** Called for final words that were dropped. */
  onDropped: () => void;
}

/** Removes recognised words that don't interrupt the agent: backchannels, hums, coughs and distant voices. */
export function withoutBackchannels(
  events: ReadableStream<Recognised>,
  over: OverAgent,
): ReadableStream<Recognised> {
  return events.pipeThrough(
    new TransformStream<Recognised, Recognised>({
      transform: (event, controller) => {
        const words = wordsOf(event);
        const isLeftOut =
          words !== '' &&
          over.isAgentSpeaking() &&
          (over.isQuiet() || !over.words.interrupts(words, over.spokenMs()));
        if (!isLeftOut) controller.enqueue(event);
        if (isLeftOut && isFinal(event)) over.onDropped();
        if (!isLeftOut && words !== '') over.onWords();
      },
    }),
  );
}

const isFinal = (event: Recognised): boolean =>
  typeof event === 'string' || event.type === stt.SpeechEventType.FINAL_TRANSCRIPT;

function wordsOf(event: Recognised): string {
  if (typeof event === 'string') return event;
  return TRANSCRIPTS.has(event.type) ? (event.alternatives?.[0]?.text ?? '') : '';
}
