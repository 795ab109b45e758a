import { errorText } from '../error-text';

/** The user pressed Ctrl-C, or the process received SIGTERM or SIGHUP. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export const INTERRUPTED_STATUS = 130;

/**
 * Aborts the controller on the first signal. The second signal ends the process immediately, and the stack's watchdog then stops the
 * remaining processes.
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
 * Runs work that the user can interrupt and returns the exit status: 0 if the work succeeded, even if the user interrupted it afterwards.
 * Prints an error with the prefix `failed`.
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
    // The abort reason helps the user more than the error of an aborted request.
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    if (reason instanceof Interrupted) return isDone ? 0 : INTERRUPTED_STATUS;
    console.error(`\n${failed}: ${errorText(reason)}`);
    return 1;
  }
}

/** Rejects with the signal's reason once it is aborted. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const rejectNow = () => {
      clearInterval(alive);
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    };
    // Keeps the process alive. A pending promise alone doesn't, if all servers run elsewhere.
    const alive = setInterval(() => {}, 3_600_000);
    if (signal.aborted) rejectNow();
    else signal.addEventListener('abort', rejectNow, { once: true });
  });
}
