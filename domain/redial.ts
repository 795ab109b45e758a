/** Rule for redials. `end_calls` in Postgres must apply the same rule; `test/db/dry-run-rules.test.ts` compares both. */
const MINUTE_MS = 60_000;

export interface RedialTerms {
  /** Maximum dials of a contact (`max_retries` of the interface). 1 means no redial. */
  maxAttempts: number;
  retryDelayMins: number;
}

export interface EndedDial {
  /** The outcome allows a redial. */
  redial: boolean;
  /** Starts at 1. */
  attempt: number;
  /** When the end was reported, by our clock because the carrier's may be wrong. */
  reportedAt: number;
  /** The campaign was cancelled meanwhile. */
  isCancelled: boolean;
}

/** Returns when to redial the contact, in milliseconds since the epoch, or null for no redial. */
export function redialAt(
  { redial, attempt, reportedAt, isCancelled }: EndedDial,
  { maxAttempts, retryDelayMins }: RedialTerms,
): number | null {
  if (!redial || isCancelled || attempt >= maxAttempts) return null;
  return reportedAt + retryDelayMins * MINUTE_MS;
}
