import { setTimeout as delay } from 'node:timers/promises';
import { errorText } from '../../../dev/error-text';

const POLL_MS = 50;

/** Calls `look` until it stops throwing, and returns its result. Fails with the last error after `withinMs`. */
export async function eventually<T>(withinMs: number, look: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() < deadline) await delay(POLL_MS);
      else throw new Error(`not within ${withinMs} ms: ${errorText(error)}`, { cause: error });
    }
  }
}

/** Like `eventually`, for a condition. */
export function eventuallyTrue(withinMs: number, what: string, holds: () => boolean | Promise<boolean>) {
  return eventually(withinMs, async () => {
    if (!(await holds())) throw new Error(what);
  });
}
