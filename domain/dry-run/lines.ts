import type { DryContact } from './contact-queue';
import { Fifo } from './queues';

/** The lines of one campaign. Assumes that the organization has no other calls. */
export class Lines {
  private used = 0;
  private max = 0;

  constructor(private readonly count: number) {}

  get live(): number {
    return this.used;
  }

  get peak(): number {
    return this.max;
  }

  get anyFree(): boolean {
    return this.used < this.count;
  }

  take(): void {
    this.used += 1;
    this.max = Math.max(this.max, this.used);
  }

  free(): void {
    this.used -= 1;
  }
}

/** Returns how many calls should wait for lines. Must match `ready_ahead` in Postgres. */
export const readyAhead = (lines: number): number => Math.min(Math.max(3 * lines, 6), 300);

/** Spaces the calls on a trunk evenly, as `trunk_slot` does in Postgres. 0 calls per second means no limit. */
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

/**
 * Calls that wait for a line, in the order of `grant_lines`: the longest wait first, then by row. Doesn't apply the rule of one live call
 * per number, because duplicates in a file are not dialled.
 */
export class WaitingCalls {
  private readonly registered = new Fifo<DryContact>();
  /** Calls that got a line but could no longer dial. They have waited longest. */
  private readonly returned = new Fifo<DryContact>();

  get size(): number {
    return this.returned.size + this.registered.size;
  }

  get zones(): string[] {
    return [...this.returned.rest, ...this.registered.rest].map(({ zone }) => zone);
  }

  /** All calls of a page start to wait at the same instant. */
  register(page: readonly DryContact[]): void {
    for (const contact of [...page].sort((a, b) => a.row - b.row)) this.registered.push(contact);
  }

  giveBack(contact: DryContact): void {
    this.returned.push(contact);
  }

  take(limit: number): DryContact[] {
    const first = this.returned.take(limit);
    return [...first, ...this.registered.take(limit - first.length)];
  }
}
