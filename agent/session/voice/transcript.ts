/** Sends final speech to the platform as transcript segments, and reports the agent's speech as it streams. */
import { ReadableStream } from 'node:stream/web';
import type { llm, voice } from '@livekit/agents';
import type { Speaker } from '../../../domain/transcript';
import type { PlatformEvents, SegmentEvent } from '../../platform/platform-events';

interface SegmentEmitterOptions {
  events: Pick<PlatformEvents, 'emit'>;
  /** Milliseconds since the epoch. */
  answeredAt: number;
  /** Called for each segment that is sent. */
  onSegment: (speaker: Speaker, text: string, interrupted: boolean) => void;
}

export class SegmentEmitter {
  private readonly lastStart: Record<Speaker, number> = { agent: -1, user: -1 };
  private pending = '';
  private language: string | null = null;

  constructor(private readonly options: SegmentEmitterOptions) {}

  /** Sets the language that was last recognised in the user's speech. */
  setLanguage(language: string | null): void {
    if (language !== null && language !== '') this.language = language;
  }

  /** Adds final words of a turn that may continue. */
  addFinal(words: string): void {
    this.pending = `${this.pending} ${words}`.trim();
  }

  /** Final words of a turn that has not ended yet. */
  get pendingWords(): string {
    return this.pending;
  }

  /** Sends the words of a turn that has not ended. */
  emitPending(): void {
    const now = Date.now();
    if (this.pending !== '') this.emit('user', this.pending, { from: now, to: now });
  }

  /** Sends an item of the chat history if it is speech. */
  emitItem(item: llm.ChatItem): void {
    if (item.type !== 'message' || (item.role !== 'user' && item.role !== 'assistant')) return;
    const text = item.textContent?.trim() ?? '';
    if (text === '') return;
    const { metrics, interrupted, transcriptConfidence: confidence } = item;
    const now = Date.now();
    const [from, to] = [metrics.startedSpeakingAt, metrics.stoppedSpeakingAt].map((at) =>
      at === undefined ? now : at * 1000,
    );
    const isUser = item.role === 'user';
    this.emit(
      isUser ? 'user' : 'agent',
      text,
      { from: from ?? now, to: to ?? now },
      {
        ...(interrupted && { interrupted }),
        // Recognisers that don't report confidence omit it or set it to 0.
        ...(isUser && confidence !== undefined && confidence > 0 && { confidence: Math.min(confidence, 1) }),
        ...(isUser && this.language !== null && { language: this.language }),
      },
    );
  }

  /** Times are in milliseconds since the epoch. */
  emit(
    speaker: Speaker,
    text: string,
    { from, to }: { from: number; to: number },
    more: Pick<SegmentEvent, 'interrupted' | 'confidence' | 'language'> = {},
  ): void {
    const { events, answeredAt, onSegment } = this.options;
    if (text === '') return;
    if (speaker === 'user') this.pending = '';
    // The platform identifies a segment by speaker and start, so two segments of a speaker must not start at the same time.
    const startMs = Math.max(this.lastStart[speaker] + 1, Math.round(from - answeredAt), 0);
    this.lastStart[speaker] = startMs;
    const endMs = Math.max(startMs, Math.round(to - answeredAt));
    events.emit({ type: 'segment', speaker, text, start_ms: startMs, end_ms: endMs, ...more });
    onSegment(speaker, text, more.interrupted === true);
  }
}

type Words = NonNullable<Awaited<ReturnType<voice.Agent['transcriptionNode']>>>;

interface TranscriptListener {
  /** Called with all words so far. */
  partial: (soFar: string) => void;
  /** Called once, when the stream ends or is cancelled. */
  complete: (all: string) => void;
}

/** Reports the text of the agent's speech as it streams. */
export function tapTranscript(words: Words, listener: TranscriptListener): Words {
  return ReadableStream.from(
    (async function* () {
      let soFar = '';
      try {
        for await (const piece of words) {
          soFar += typeof piece === 'string' ? piece : piece.text;
          listener.partial(soFar);
          yield piece;
        }
      } finally {
        if (soFar.trim() !== '') listener.complete(soFar.trim());
      }
    })(),
  );
}
