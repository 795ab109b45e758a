export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Statuses that only a redelivery can change. */
export const DONE_STATUSES = ['failed', 'delivered'] as const satisfies readonly DeliveryStatus[];
export type DoneStatus = (typeof DONE_STATUSES)[number];

/** Delays between webhook attempts, counted from the end of the previous attempt. */
export const DELIVERY_DELAYS_MS = [0, 5_000, 25_000, 125_000, 625_000] as const;

/** Returns the delay after the given attempt, or null if it was the last. */
export function delayAfterAttempt(attempt: number): number | null {
  return DELIVERY_DELAYS_MS[attempt] ?? null;
}
