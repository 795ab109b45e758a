/** Between the streams of the SDK and the generators that answers are made of. */
import { ReadableStream } from 'node:stream/web';

/**
 * The stream of what `make` yields. Cancelled, it lets go at once, also while the generator waits for a model: whoever interrupts the
 * agent waits for nothing. `make` gets the signal that tells it so.
 */
export function answerStream<T>(make: (cancelled: AbortSignal) => AsyncGenerator<T>): ReadableStream<T> {
  const cancelling = new AbortController();
  const answer = make(cancelling.signal);
  return new ReadableStream<T>({
    async pull(controller) {
      const next = await answer.next();
      if (cancelling.signal.aborted) return;
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      cancelling.abort();
      // It is at its end once what it waits for has let go, too.
      void answer.return(undefined).catch(() => undefined);
    },
  });
}

/** What a stream brings, until it ends or the signal; nobody reads it any more afterwards. */
export async function* piecesOf<T>(stream: ReadableStream<T>, cancelled: AbortSignal): AsyncGenerator<T> {
  const reader = stream.getReader();
  const letGo = (): void => void reader.cancel().catch(() => undefined);
  cancelled.addEventListener('abort', letGo, { once: true });
  try {
    if (cancelled.aborted) return;
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    cancelled.removeEventListener('abort', letGo);
    letGo();
  }
}
