/** Follows the words that are about to be spoken, as they come. */
import { ReadableStream } from 'node:stream/web';
import type { voice } from '@livekit/agents';

type Words = NonNullable<Awaited<ReturnType<voice.Agent['transcriptionNode']>>>;

export interface TranscriptListener {
  /** All of it, so far. */
  partial: (soFar: string) => void;
  /** Once, when nothing more comes, or nobody wants more. */
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
