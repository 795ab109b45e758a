/** Estimates the carrier's clock from the `Date` headers of its answers, because it may differ from ours. */

/** A `Date` header has whole seconds, and servers may cache it for another second. */
const DATE_PRECISION_MS = 2_000;

export class CarrierClock {
  /** Bounds of the difference between the carrier's clock and our monotonic clock. */
  private bounds: { min: number; max: number } | null = null;

  /** `elapsedMs` must be monotonic, so that a jump of our system clock has no effect. */
  constructor(private readonly elapsedMs: () => number = () => performance.now()) {}

  /**
   * Reads the `Date` header of an answer that has just arrived. `sentAtMs` is the value of `elapsedMs` when the request was sent. Returns
   * the carrier's time, or null if the header is missing.
   */
  read(date: string | null, sentAtMs: number): number | null {
    const shownMs = Date.parse(date ?? '');
    if (Number.isNaN(shownMs)) return null;
    const reading = { min: shownMs - this.elapsedMs(), max: shownMs + DATE_PRECISION_MS - sentAtMs };
    const { bounds } = this;
    // A reading outside the bounds means that one of the clocks was adjusted.
    const isAnew = bounds === null || reading.min > bounds.max || reading.max < bounds.min;
    this.bounds = isAnew
      ? reading
      : { min: Math.max(bounds.min, reading.min), max: Math.min(bounds.max, reading.max) };
    return shownMs;
  }

  /** Discards the estimate. Call it when the carrier rejects an instant as too far ahead, because its clock was set back slightly. */
  forget(): void {
    this.bounds = null;
  }

  /**
   * Returns an instant that the carrier's clock has certainly reached. It is up to two seconds behind that clock, and null before the first
   * reading.
   */
  now(): number | null {
    return this.bounds === null ? null : this.bounds.min + this.elapsedMs();
  }
}
