/** The lines of one campaign, for an organization without other calls. */
export class Lines {
  private used = 0;
  private most = 0;

  constructor(private readonly count: number) {}

  get live(): number {
    return this.used;
  }

  get peak(): number {
    return this.most;
  }

  get anyFree(): boolean {
    return this.used < this.count;
  }

  take(): void {
    this.used += 1;
    this.most = Math.max(this.most, this.used);
  }

  free(): void {
    this.used -= 1;
  }
}

/** Returns how many calls should wait for lines. Must equal `ready_ahead` in Postgres. */
export const readyAhead = (lines: number): number => Math.min(Math.max(3 * lines, 6), 300);

/** Evenly spaces the calls on a trunk, like `trunk_slot` in Postgres. 0 calls per second means no limit. */
export class Pacer {
  private nextTurn = -Infinity;

  constructor(private readonly callsPerSecond: number) {}

  /** Returns when a call that is ready now may be dialled. */
  turn(now: number): number {
    if (this.callsPerSecond === 0) return now;
    const at = Math.max(now, this.nextTurn);
    this.nextTurn = at + 1_000 / this.callsPerSecond;
    return at;
  }
}
