/** Keeps a service that is down from costing everyone who would ask it a time-out: after some failures in a row it is left alone. */
export interface Circuit {
  /** Whether to ask now. After the pause one may, to see whether it is back; the others once it has answered. */
  mayAsk(): boolean;
  /** True when this failure begins a pause. */
  failed(): boolean;
  answered(): void;
}

export interface CircuitOptions {
  failuresInARow: number;
  pauseMs: number;
  /** Milliseconds that never go back. */
  elapsedMs: () => number;
}

export function circuit({ failuresInARow, pauseMs, elapsedMs }: CircuitOptions): Circuit {
  let failures = 0;
  let closedUntil = 0;
  return {
    mayAsk() {
      if (failures < failuresInARow) return true;
      if (elapsedMs() < closedUntil) return false;
      closedUntil = elapsedMs() + pauseMs;
      return true;
    },
    failed() {
      failures++;
      if (failures < failuresInARow) return false;
      closedUntil = elapsedMs() + pauseMs;
      return true;
    },
    answered() {
      failures = 0;
    },
  };
}
