/**
 * Returns the ideal makespan of calls with these durations. Each call in order goes to the line that is free first, which is more exact
 * than ⌈N/C⌉·D because durations differ.
 */
export function listScheduleMs(durationsMs: readonly number[], lines: number): number {
  const freeAtMs = new Array<number>(lines).fill(0);
  for (const durationMs of durationsMs) {
    const first = freeAtMs.indexOf(Math.min(...freeAtMs));
    freeAtMs[first] = (freeAtMs[first] ?? 0) + durationMs;
  }
  return Math.max(0, ...freeAtMs);
}
