/**
 * The makespan of calls of these durations on so many lines if no instant is lost: each call in turn goes to the line
 * that is free first. Finer than ⌈N/C⌉·D, as no two calls take the same time.
 */
export function listScheduleMs(durationsMs: readonly number[], lines: number): number {
  const freeAtMs = new Array<number>(lines).fill(0);
  for (const durationMs of durationsMs) {
    const first = freeAtMs.indexOf(Math.min(...freeAtMs));
    freeAtMs[first] = (freeAtMs[first] ?? 0) + durationMs;
  }
  return Math.max(0, ...freeAtMs);
}
