import { setTimeout as delay } from 'node:timers/promises';
import { errorText } from '../../../dev/error-text';

const EVERY_MS = 500;

/** Calls `ask` repeatedly until it returns a value and doesn't throw. @throws Error with the last error */
export async function until<T>(
  what: string,
  withinMs: number,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let reason = ''; ;) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      reason = `: ${errorText(error)}`;
    }
    if (performance.now() > deadline)
      throw new Error(`${what} did not happen within ${withinMs / 1000} s${reason}`);
    await delay(EVERY_MS);
  }
}

/** @throws Error with both values if they differ */
export function expectEqual(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what}: expected ${other}, found ${one}`);
}
