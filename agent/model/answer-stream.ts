/** Adapters between the SDK's streams and the generators that produce answers. */
import { ReadableStream } from 'node:stream/web';

/**
 * Streams the items that `make` yields. Cancelling aborts the signal given to `make` and takes effect immediately, even while the generator
 * waits for a model, so that an interruption never waits.
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
      // The generator also ends once its pending wait is over.
      void answer.return(undefined).catch(() => undefined);
    },
  });
}

/** Yields the chunks of a stream until it ends or the signal is aborted, and then cancels the reader. */
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
