import { errorText } from '../error-text';

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

/**
 * The exit status of work that a person may give up: 0 where it went as it should, or had done so when it was interrupted. What it fails with is
 * printed behind `failed`.
 */
export async function interruptibleStatus(
  work: (stopping: AbortController, onDone: () => void) => Promise<boolean>,
  failed: string,
): Promise<number> {
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  let isDone = false;
  try {
    return (await work(stopping, () => (isDone = true))) ? 0 : 1;
  } catch (error) {
    // What an aborted request or wait says of itself is no help; why it was aborted is.
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    if (reason instanceof Interrupted) return isDone ? 0 : INTERRUPTED_STATUS;
    console.error(`\n${failed}: ${errorText(reason)}`);
    return 1;
  }
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
