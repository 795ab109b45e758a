/** Ctrl-C, SIGTERM or the end of the terminal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export const INTERRUPTED_STATUS = 130;

/**
 * Gives up the controller's work on the first request to stop; a second one ends the process at once, and the stack's watchdog then
 * stops what is left.
 */
export function abortOnInterrupt(controller: AbortController): void {
  const request = () => {
    if (controller.signal.reason instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
    console.error('\nStopping …');
    controller.abort(new Interrupted('interrupted'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
}

/** Rejects with the signal's reason once it is aborted. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => {
      clearInterval(alive);
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    };
    // A promise alone keeps no process alive where all servers belong to somebody else.
    const alive = setInterval(() => {}, 3_600_000);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}
