/** Measures how long this process stalled, because its machine did or because other processes had the CPU. */

const EVERY_MS = 20;
/** Smaller timer delays are normal. */
const LATE_MS = 50;

export interface Stall {
  /** Total time stalled since the beginning. */
  ms: () => number;
  stop: () => void;
}

export function watchStalls(): Stall {
  let sum = 0;
  let dueAt = performance.now() + EVERY_MS;
  const lateMs = (): number => {
    const late = performance.now() - dueAt;
    return late > LATE_MS ? late : 0;
  };
  const timer = setInterval(() => {
    sum += lateMs();
    dueAt = performance.now() + EVERY_MS;
  }, EVERY_MS);
  return { ms: () => sum + lateMs(), stop: () => clearInterval(timer) };
}
