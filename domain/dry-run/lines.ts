/** The lines of one campaign whose client does nothing else. */
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

/** How many calls are kept ready ahead of the lines: `ready_ahead` in Postgres. */
export const readyAhead = (lines: number): number => Math.min(Math.max(3 * lines, 6), 300);

/** The turns of a trunk: so many a second, evenly spaced; no limit where 0: `turn_on_trunk` in Postgres. */
export class Pacer {
  private nextTurn = -Infinity;

  constructor(private readonly callsPerSecond: number) {}

  /** When a call that asks for its turn now may be dialled. */
  turn(now: number): number {
    if (this.callsPerSecond === 0) return now;
    const at = Math.max(now, this.nextTurn);
    this.nextTurn = at + 1_000 / this.callsPerSecond;
    return at;
  }
}
