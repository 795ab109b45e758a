/** Retries within one call attempt while the carrier is busy (429, 503). */

/** A call attempt fails after this long without a placed call. */
export const DIAL_GIVE_UP_MS = 60_000;
/** A phone call fails after it has waited this long for an agent. All agents may be busy, and conversations take minutes. */
export const AGENT_GIVE_UP_MS = 15 * 60_000;

const FIRST_MS = 1_000;
const LONGEST_MS = 15_000;

/** Uses the carrier's `Retry-After` if that is longer, up to `LONGEST_MS`. */
export function dialBackoffMs(asked: number, retryAfterMs: number | null): number {
  const doubled = FIRST_MS * 2 ** Math.min(asked - 1, 10);
  return Math.min(LONGEST_MS, Math.max(doubled, retryAfterMs ?? 0));
}
