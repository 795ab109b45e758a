/** Which answers are asked for again, and when. */

export interface RetrySettings {
  /** The first one included; 1 never repeats. 4 unless set. */
  attempts?: number;
  /** Wait before the second attempt; doubled for each further one, and shortened by up to a half at random. 500 unless set. */
  baseMs?: number;
  /** An answer that asks for a longer wait is thrown instead. 60,000 unless set. */
  mostMs?: number;
}

export const RETRIES = { attempts: 4, baseMs: 500, mostMs: 60_000 } as const satisfies RetrySettings;

/** With these the API has done nothing, or asks by itself to come again. */
const ALWAYS = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS'];
/** Of a proxy, or of a process that died: the request may have been carried out. */
const UNLESS_DONE = [408, 500, 502, 503, 504];

/** `isSafe`: carried out twice it does no more than once. */
export const isRetried = (refusal: { status: number; code: string } | null, isSafe: boolean): boolean =>
  refusal === null
    ? isSafe
    : ALWAYS.includes(refusal.code) ||
      refusal.status === 429 ||
      (isSafe && UNLESS_DONE.includes(refusal.status));

/** Of a Retry-After, in seconds or as a date; null where it is neither. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** After the attempt with this number, from 1. `random` is from 0 to 1. */
export const backoffMs = (
  attempt: number,
  { baseMs, mostMs }: Required<RetrySettings>,
  random: number,
): number => Math.min(mostMs, baseMs * 2 ** (attempt - 1)) * (1 - random / 2);
