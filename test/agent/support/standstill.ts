/** How long this process stood still: with its machine, or because others had the processor. */

const EVERY_MS = 20;
/** A timer that is less late says nothing. */
const LATE_MS = 50;

export interface Standstill {
  /** All of it since the beginning. */
  ms: () => number;
  stop: () => void;
}

export function watchStandstill(): Standstill {
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
