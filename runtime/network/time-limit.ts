/** Helpers for timeouts and cancellation. They are in `network` because that is the only part of `runtime` that the agent imports. */

/** The work took longer than its limit. The name matches that of Node's own timeouts. */
export class TimedOut extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Waits for the work for a limited time, and then calls `onTimeout`, which throws `TimedOut` by default. The work continues, but its later
 * result or error is ignored. To cancel the work, run it in `withOwnSignal`. The timer doesn't keep the process alive.
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
 * Passes the work a signal that is aborted together with `outer`, and also when the work is over, which releases the connection of a
 * response that was not fully read. Leaves no listener on `outer`, which may outlive hundreds of requests.
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
