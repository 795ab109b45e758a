/** The rule for redials. `end_calls` in Postgres must apply the same rule, which `test/db/dry-run-rules.test.ts` checks. */
const MINUTE_MS = 60_000;

export interface RedialTerms {
  /** Maximum number of dials per contact (`max_retries` in the interface). 1 means no redial. */
  maxAttempts: number;
  retryDelayMins: number;
}

/** Picks the redial terms of a campaign. */
export const redialTermsOf = ({ maxAttempts, retryDelayMins }: RedialTerms): RedialTerms => ({
  maxAttempts,
  retryDelayMins,
});

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

/**
 * Returns how much later new terms make the redials that contacts wait for, in milliseconds. The first element is for contacts with one
 * attempt. Attempts after which the new terms allow no redial have 0.
 */
export function redialShiftsMs(before: RedialTerms, after: RedialTerms): number[] {
  const delayOf = (attempt: number, terms: RedialTerms) =>
    redialAt({ redial: true, attempt, reportedAt: 0, isCancelled: false }, terms);
  return Array.from({ length: before.maxAttempts - 1 }, (_none, index) => {
    const [oldDelay, newDelay] = [delayOf(index + 1, before), delayOf(index + 1, after)];
    return oldDelay === null || newDelay === null ? 0 : newDelay - oldDelay;
  });
}
