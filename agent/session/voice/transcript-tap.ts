/** Observes the transcript of the agent's speech as it streams. */
import { ReadableStream } from 'node:stream/web';
import type { voice } from '@livekit/agents';

type Words = NonNullable<Awaited<ReturnType<voice.Agent['transcriptionNode']>>>;

export interface TranscriptListener {
  /** Called with all words so far. */
  partial: (soFar: string) => void;
  /** Called once, when the stream ends or is cancelled. */
  complete: (all: string) => void;
}

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
