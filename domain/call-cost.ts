const MINUTE_MS = 60_000;

/**
 * Credits for each started minute of talk; nothing for a talk of nothing. `end_calls` in Postgres charges the same:
 * `test/db/dry-run-rules.test.ts` runs both.
 */
export function callCost(talkMs: number, creditsPerMinute: number): number {
  return Math.ceil(Math.max(0, talkMs) / MINUTE_MS) * creditsPerMinute;
}
