import type { FinalContactState } from '../call-outcome';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Number of dials in one UTC day or hour, and how many of them were answered. */
export interface Period {
  /** Milliseconds since the epoch. */
  from: number;
  calls: number;
  answered: number;
}

export class Tally {
  dials = 0;
  answered = 0;
  credits = 0;
  readonly states: Record<FinalContactState, number> = {
    completed: 0,
    failed: 0,
    duplicate: 0,
    dnd: 0,
    invalid: 0,
    cancelled: 0,
    expired: 0,
  };
  /** Expired rows, in order of expiry. */
  readonly expiredRows: number[] = [];
  /** Number of expired rows that were never dialled. */
  neverDialled = 0;
  private readonly days = new Calendar(DAY_MS);
  private readonly hours = new Calendar(HOUR_MS);

  dialled(at: number, isAnswered: boolean): void {
    this.dials += 1;
    if (isAnswered) this.answered += 1;
    this.days.count(at, isAnswered);
    this.hours.count(at, isAnswered);
  }

  charge(at: number, credits: number): void {
    this.credits += credits;
    this.days.charge(at, credits);
  }

  ended(state: FinalContactState): void {
    this.states[state] += 1;
  }

  expired({ row, attempts }: { row: number; attempts: number }): void {
    this.ended('expired');
    this.expiredRows.push(row);
    if (attempts === 0) this.neverDialled += 1;
  }

  /** Returns the credits spent so far on the day of `at`. */
  creditsOfDay(at: number): number {
    return this.days.creditsAt(at);
  }

  /** Days with at least one dial, in order. */
  get perDay(): Period[] {
    return this.days.periods;
  }

  get perHour(): Period[] {
    return this.hours.periods;
  }
}

/** Only the last period can still change, because time moves forward. */
class Calendar {
  readonly periods: Period[] = [];
  private creditsFrom = -Infinity;
  private credits = 0;

  constructor(private readonly lengthMs: number) {}

  count(at: number, isAnswered: boolean): void {
    const from = this.startOf(at);
    let period = this.periods.at(-1);
    if (period?.from !== from) {
      period = { from, calls: 0, answered: 0 };
      this.periods.push(period);
    }
    period.calls += 1;
    if (isAnswered) period.answered += 1;
  }

  charge(at: number, credits: number): void {
    const from = this.startOf(at);
    if (from !== this.creditsFrom) this.credits = 0;
    this.creditsFrom = from;
    this.credits += credits;
  }

  creditsAt(at: number): number {
    return this.startOf(at) === this.creditsFrom ? this.credits : 0;
  }

  private startOf(at: number): number {
    return Math.floor(at / this.lengthMs) * this.lengthMs;
  }
}
