/** How a busy carrier (429, 503) is asked again within one call attempt. */

/** After this long without a placed call the attempt has failed. */
export const DIAL_GIVE_UP_MS = 60_000;

const FIRST_MS = 1_000;
const LONGEST_MS = 15_000;

/** The carrier's own wish counts when it is longer, up to the longest wait. */
export function dialBackoffMs(asked: number, retryAfterMs: number | null): number {
  const doubled = FIRST_MS * 2 ** Math.min(asked - 1, 10);
  return Math.min(LONGEST_MS, Math.max(doubled, retryAfterMs ?? 0));
}
