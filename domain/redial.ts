/** The rule for redials. `end_calls` in Postgres must apply the same rule, which `test/db/dry-run-rules.test.ts` checks. */
const MINUTE_MS = 60_000;

export interface RedialTerms {
  /** Maximum number of dials per contact (`max_retries` in the interface). 1 means no redial. */
  maxAttempts: number;
  retryDelayMins: number;
}

export interface EndedDial {
  /** The call's outcome allows a redial. */
  redial: boolean;
  /** Counted from 1. */
  attempt: number;
  /** When the end was reported, by our clock, because the carrier's clock may be wrong. */
  reportedAt: number;
  /** The campaign was cancelled in the meantime. */
  isCancelled: boolean;
}

/** Returns when to redial the contact in milliseconds since the epoch, or null if it must not be redialled. */
export function redialAt(
  { redial, attempt, reportedAt, isCancelled }: EndedDial,
  { maxAttempts, retryDelayMins }: RedialTerms,
): number | null {
  if (!redial || isCancelled || attempt >= maxAttempts) return null;
  return reportedAt + retryDelayMins * MINUTE_MS;
}
