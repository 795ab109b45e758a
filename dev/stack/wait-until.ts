import { errorText } from '../error-text';
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '../../runtime/network/time-limit';

/**
 * Calls `check` until it returns true. A check that throws or takes longer than 5 s is treated as false. Rejects after `timeoutMs` with the
 * last error, or immediately with the error that `failed` returns.
 */
export async function waitUntil(options: {
  what: string;
  check: () => Promise<boolean>;
  timeoutMs: number;
  failed?: () => Promise<Error | null>;
}): Promise<void> {
  const deadline = Date.now() + options.timeoutMs;
  let reason = '';
  for (;;) {
    const failure = await options.failed?.();
    if (failure) throw failure;
    try {
      if (await withinTime(options.check(), Math.min(5000, options.timeoutMs))) return;
    } catch (error) {
      reason = `: ${errorText(error)}`;
    }
    if (Date.now() >= deadline) {
      throw new Error(`${options.what} was not ready within ${options.timeoutMs / 1000} s${reason}`);
    }
    await delay(50);
  }
}

/** Rejects if `work` takes longer than `timeoutMs`; its later result is ignored. */
export const withinTime = <T>(work: Promise<T>, timeoutMs: number): Promise<T> =>
  withTimeout(timeoutMs, work, () => {
    throw new Error(`timed out after ${timeoutMs / 1000} s`);
  });

/** Returns true if a GET of the URL returns 2xx. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  await response.arrayBuffer();
  return response.ok;
}
