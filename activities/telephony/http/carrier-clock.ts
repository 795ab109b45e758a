/** What the carrier's clock shows, as far as the `Date` of its answers shows: ours and the carrier's need not agree. */

/** A `Date` names a whole second, and servers keep the text for up to another. */
const DATE_PRECISION_MS = 2_000;

export class CarrierClock {
  /** The carrier's clock minus our monotonic one lies between these two. */
  private bounds: { least: number; most: number } | null = null;

  /** `elapsedMs` is monotonic, so that a jump of our own clock means nothing. */
  constructor(private readonly elapsedMs: () => number = () => performance.now()) {}

  /**
   * Learns from an answer to a request that was sent at `sentAtMs` (of `elapsedMs`) and has just come. Returns an instant of the carrier's
   * clock that was reached when it gave the answer; null where the answer names none.
   */
  read(date: string | null, sentAtMs: number): number | null {
    const shownMs = Date.parse(date ?? '');
    if (Number.isNaN(shownMs)) return null;
    const reading = { least: shownMs - this.elapsedMs(), most: shownMs + DATE_PRECISION_MS - sentAtMs };
    const { bounds } = this;
    // What contradicts all earlier readings: one of the clocks was set anew.
    const isAnew = bounds === null || reading.least > bounds.most || reading.most < bounds.least;
    this.bounds = isAnew
      ? reading
      : { least: Math.max(bounds.least, reading.least), most: Math.min(bounds.most, reading.most) };
    return shownMs;
  }

  /** The carrier took an instant of it for one too far ahead: it was set back by too little for its answers to show. */
  forget(): void {
    this.bounds = null;
  }

  /** An instant that the carrier's clock has reached; up to a second or two behind it. Null before the first reading. */
  now(): number | null {
    return this.bounds === null ? null : this.bounds.least + this.elapsedMs();
  }
}
