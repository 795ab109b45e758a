export type CancelTimer = () => void;

/** The simulator's time source. Tests replace it to run a day of calls at once. */
export interface Clock {
  nowMs(): number;
  after(delayMs: number, run: () => void): CancelTimer;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export const isoOf = (ms: number): string => new Date(ms).toISOString();
