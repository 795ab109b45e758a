/** A circuit breaker: after several failures in a row, it stops requests for a while, so that callers don't wait for a timeout. */
export interface Circuit {
  /** Returns whether a request may be sent. After the pause it allows one request, and the others after an answer. */
  mayAsk(): boolean;
  /** Returns true if this failure starts a pause. */
  failed(): boolean;
  answered(): void;
}

export interface CircuitOptions {
  failuresInARow: number;
  pauseMs: number;
  /** A monotonic clock. */
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
