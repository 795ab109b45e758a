import { setTimeout as delay } from 'node:timers/promises';

const WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;

/** Waits until `look` returns something other than null. */
export async function eventually<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${WITHIN_MS / 1000} s`);
    await delay(LOOK_EVERY_MS);
  }
}
