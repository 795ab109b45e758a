/** Helpers for time-outs and cancellation. They live in `network` because that is the only part of `runtime` that the agent imports. */

/** The work took longer than its limit. The name is that of Node's own time-outs. */
export class TimedOut extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Waits for the work for a limited time, then returns what `onTimeout` does. By default that throws `TimedOut`. The work continues and its later
 * result or error is ignored; run it in `withOwnSignal` to cancel it. The timer does not keep the process alive.
 */
export async function withTimeout<T, Late = never>(
  limitMs: number,
  work: Promise<T>,
  onTimeout: () => Late = timedOut,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs).unref();
  });
  try {
    return await Promise.race([work, limit.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(): never {
  throw new TimedOut('no answer in time');
}

/**
 * Gives the work a signal that is aborted with `outer` and when the work is over. The latter releases the connection of an answer that was not
 * read to its end. Nothing stays on `outer`, which may outlive hundreds of requests.
 */
export async function withOwnSignal<T>(
  outer: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const abort = (): void => own.abort(outer?.reason);
  if (outer?.aborted === true) abort();
  outer?.addEventListener('abort', abort, { once: true });
  try {
    return await work(own.signal);
  } finally {
    outer?.removeEventListener('abort', abort);
    own.abort();
  }
}
