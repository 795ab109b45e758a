import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResult } from './request';

const DELAYS_MS = [200, 500, 1_000, 2_000, 5_000];

/** Retries while the API is unavailable, up to the limit, and then returns the last result. An abort stops it before the next attempt. */
export async function withRetries(
  ask: () => Promise<ApiResult>,
  { limitMs, signal }: { limitMs: number; signal?: AbortSignal },
): Promise<ApiResult> {
  const until = performance.now() + limitMs;
  for (let tries = 0; ; tries += 1) {
    const answer = await ask();
    const delayMs = DELAYS_MS[Math.min(tries, DELAYS_MS.length - 1)] ?? 0;
    const isTimeUp = performance.now() + delayMs > until || signal?.aborted === true;
    if (answer.kind !== 'unavailable' || isTimeUp) return answer;
    await sleep(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}
