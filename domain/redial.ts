/** The rule of redials. `end_calls` in Postgres applies the same one in its transaction; `test/db/dry-run-rules.test.ts` runs both. */
const MINUTE_MS = 60_000;

export interface RedialTerms {
  /** Most dials of a contact: `max_retries` of the interface. 1 means no redial. */
  maxAttempts: number;
  retryDelayMins: number;
}

export interface EndedDial {
  /** Whether its outcome is one that is dialled again. */
  redial: boolean;
  /** From 1. */
  attempt: number;
  /** When its end was reported, by our clock: the carrier's may be wrong. */
  reportedAt: number;
  /** Its campaign was cancelled meanwhile. */
  isCancelled: boolean;
}

/** When the contact is dialled again; null when it is not. Instants are milliseconds since the epoch. */
export function redialAt(
  { redial, attempt, reportedAt, isCancelled }: EndedDial,
  { maxAttempts, retryDelayMins }: RedialTerms,
): number | null {
  if (!redial || isCancelled || attempt >= maxAttempts) return null;
  return reportedAt + retryDelayMins * MINUTE_MS;
}
