/** Measures how long this process stalled because the machine paused or other processes used the CPU. */

const EVERY_MS = 20;
/** Timers are often up to this late without a stall. */
const LATE_MS = 50;

export interface Stall {
  /** Total stalled time since the beginning. */
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
