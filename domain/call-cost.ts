const MINUTE_MS = 60_000;

/** Charges credits for each started minute of talk. `end_calls` in Postgres must charge the same; `test/db/dry-run-rules.test.ts` compares both. */
export function callCost(talkMs: number, creditsPerMinute: number): number {
  return Math.ceil(Math.max(0, talkMs) / MINUTE_MS) * creditsPerMinute;
}
