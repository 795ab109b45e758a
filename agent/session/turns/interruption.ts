/** Handles the user's sounds over the agent's speech: holds the speech and filters the recognised words. */
import { type ReadableStream, TransformStream } from 'node:stream/web';
import { type metrics, stt } from '@livekit/agents';
import type { Languages } from '../../providers/languages';
import type { RoomAudioOutput } from '../voice/room-audio';
import type { SessionModels } from '../voice/session-models';
import { OverlapWords } from './overlap-words';
import type { SpeechActivity } from './speech-activity';

/** An answer may begin while the agent still has this much left to say. */
const END_OF_SPEECH_MS = 1_000;
/** No recogniser delivers words later than this. */
const RECOGNISED_WITHIN_MS = 3_000;
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

type Recognised = stt.SpeechEvent | string;

interface OverlapOptions {
  models: Pick<SessionModels, 'stt' | 'vad'>;
  output: RoomAudioOutput | null;
  speechActivity: SpeechActivity;
  languages: Languages;
  /** True also while the agent's speech is held. */
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

  /** Called by voice activity detection. */
  setSpeaking(isSpeaking: boolean): void {
    if (isSpeaking) this.interruption.speechStarted();
    else this.interruption.speechEnded();
  }

  /** Drops recognised words to which the agent must not react. */
  filter(recognised: ReadableStream<Recognised>): ReadableStream<Recognised> {
    const { options, interruption } = this;
    return withoutBackchannels(recognised, {
      isAgentSpeaking: () =>
        options.isAgentSpeaking() && (options.output?.remainingMs ?? Infinity) > END_OF_SPEECH_MS,
      isQuiet: () => options.speechActivity.quietMs > RECOGNISED_WITHIN_MS,
      words: new OverlapWords(options.languages),
      spokenMs: () => options.models.vad.overlapMs,
      onWords: () => interruption.wordsHeard(),
      onDropped: () => interruption.wordsDropped(),
    });
  }

  onMetrics(measure: metrics.AgentMetrics): void {
    if (measure.type === 'stt_metrics' && !measure.streamed) this.interruption.recognised();
  }

  /** Keeps the agent speaking, whatever is heard, until `speech` is over. */
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
  /** Whether the recogniser has interim results. */
  hasInterimWords: boolean;
  /** Holds the agent's speech. Returns false when there is none, or when it cannot be interrupted. */
  hold: () => boolean;
  /** Resumes held speech. Does nothing otherwise. */
  release: () => void;
}

/**
 * Decides whether a sound over the agent's speech interrupts it. The speech is held immediately and resumes if the sound turns out to be no
 * interruption; the SDK ends it when words are final.
 */
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

const TRANSCRIPTS: ReadonlySet<stt.SpeechEventType> = new Set([
  stt.SpeechEventType.INTERIM_TRANSCRIPT,
  stt.SpeechEventType.PREFLIGHT_TRANSCRIPT,
  stt.SpeechEventType.FINAL_TRANSCRIPT,
]);

export interface OverAgent {
  /** Whether the agent is speaking and has more left than the end of a sentence. A "yes" to the end of a sentence is an answer. */
  isAgentSpeaking: () => boolean;
  /** Whether the user has been silent for a while, so that the recognised words are a distant voice's. */
  isQuiet: () => boolean;
  words: OverlapWords;
  /** How long the user has spoken over the agent. */
  spokenMs: () => number;
  /** Called for words that count as a turn, final or not. */
  onWords: () => void;
  /** Called for final words that were dropped. */
  onDropped: () => void;
}

/** Drops recognised words that do not interrupt the agent: backchannels, hums, coughs and distant voices. */
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
