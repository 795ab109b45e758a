/** Follows the words that are about to be spoken, as they come. */
import { ReadableStream } from 'node:stream/web';
import type { voice } from '@livekit/agents';

type Words = NonNullable<Awaited<ReturnType<voice.Agent['transcriptionNode']>>>;

export interface WordsListener {
  /** All of it, so far. */
  said: (soFar: string) => void;
  /** Once, when nothing more comes, or nobody wants more. */
  whole: (all: string) => void;
}

export function shownWords(words: Words, listener: WordsListener): Words {
  return ReadableStream.from(
    (async function* () {
      let soFar = '';
      try {
        for await (const piece of words) {
          soFar += typeof piece === 'string' ? piece : piece.text;
          listener.said(soFar);
          yield piece;
        }
      } finally {
        if (soFar.trim() !== '') listener.whole(soFar.trim());
      }
    })(),
  );
}
