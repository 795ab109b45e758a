/** Decides which requests are retried, and when. */

export interface RetrySettings {
  /** Total number of attempts, including the first; 1 disables retries. Defaults to 4. */
  attempts?: number;
  /**
   * Wait in milliseconds before the second attempt. Doubles with each further attempt, minus a random part of up to half. Defaults to 500.
   */
  baseMs?: number;
  /** Longest wait in milliseconds. If a response asks for a longer one, the error is thrown instead. Defaults to 60,000. */
  maxMs?: number;
}

export const RETRIES = { attempts: 4, baseMs: 500, maxMs: 60_000 } as const satisfies RetrySettings;

/** With these codes, the API either did nothing or wants the client to retry. */
const RETRYABLE_CODES = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS'];
/** A proxy or a failing server sends these. The API may still have carried out the request. */
const RETRYABLE_STATUSES = [408, 500, 502, 503, 504];

/** `isSafe` means that the request can be repeated without further effect. */
export const isRetried = (refusal: { status: number; code: string } | null, isSafe: boolean): boolean =>
  refusal === null
    ? isSafe
    : RETRYABLE_CODES.includes(refusal.code) ||
      refusal.status === 429 ||
      (isSafe && RETRYABLE_STATUSES.includes(refusal.status));

/** Parses a Retry-After header, in seconds or as a date. Returns null for anything else. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** Returns the wait after the given attempt, counted from 1. `random` is between 0 and 1. */
export const backoffMs = (
  attempt: number,
  { baseMs, maxMs }: Required<RetrySettings>,
  random: number,
): number => Math.min(maxMs, baseMs * 2 ** (attempt - 1)) * (1 - random / 2);
