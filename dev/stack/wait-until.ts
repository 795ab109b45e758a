import { errorText } from '../error-text';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks `check` until it returns true; a check that throws or takes longer than 5 s counts as not yet. Rejects
 * after `timeoutMs` with the last reason, or at once with what `failed` returns.
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

/** Rejects when `work` does not settle in time; what it does later is ignored. */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** True when a GET of the address answers 2xx. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  await response.arrayBuffer();
  return response.ok;
}
