/** Handles the user's sounds over the agent's speech: holds the speech and filters the recognised words. */
import type { ReadableStream } from 'node:stream/web';
import type { metrics, stt } from '@livekit/agents';
import type { Languages } from '../../providers/languages';
import { Interruption } from '../turns/interruption';
import { withoutBackchannels } from '../turns/overheard';
import { OverlapWords } from '../turns/overlap-words';
import type { SpeechActivity } from '../turns/speech-activity';
import type { RoomAudioOutput } from './room-audio-output';
import type { SessionModels } from './session-models';

/** An answer may begin while the agent still has this much left to say. */
const END_OF_SPEECH_MS = 1_000;
/** No recogniser delivers words later than this. */
const RECOGNISED_WITHIN_MS = 3_000;

export interface OverlapOptions {
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
  filter(recognised: ReadableStream<stt.SpeechEvent | string>): ReadableStream<stt.SpeechEvent | string> {
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
