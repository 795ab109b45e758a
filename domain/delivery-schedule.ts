/** When a webhook that was not accepted is retried, counted from the end of the attempt before. */
export const DELIVERY_DELAYS_MS = [0, 5_000, 25_000, 125_000, 625_000] as const;

export const MAX_DELIVERY_ATTEMPTS = DELIVERY_DELAYS_MS.length;

/** The delay before the attempt after `attempt`; null when that was the last. */
export function delayAfterAttempt(attempt: number): number | null {
  return DELIVERY_DELAYS_MS[attempt] ?? null;
}
