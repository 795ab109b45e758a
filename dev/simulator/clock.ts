export type CancelTimer = () => void;

/** Time as the simulator sees it, so that tests can run a day of calls at once. */
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
