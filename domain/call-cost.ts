const MINUTE_MS = 60_000;

/**
 * Charges credits per started minute of talk. `end_calls` in Postgres must charge the same, which `test/db/dry-run-rules.test.ts` checks.
 */
export function callCost(talkMs: number, creditsPerMinute: number): number {
  return Math.ceil(Math.max(0, talkMs) / MINUTE_MS) * creditsPerMinute;
}
