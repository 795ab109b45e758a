export interface TurnLimits {
  atOnce: number;
  /** How many may wait, and for how long. */
  waiting: number;
  waitMs: number;
}

/** At most so many pieces of work at once; the others wait for their turn, in order; too many, or for too long, are refused. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: TurnLimits) {}

  /** Null, without starting the work, when too many wait already or its turn does not come in time. */
  async take<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.running < this.limits.atOnce) this.running += 1;
    else if (this.waiting.length >= this.limits.waiting || !(await this.turnComes())) return null;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private turnComes(): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        resolve(false);
      }, this.limits.waitMs);
      this.waiting.push(begin);
    });
  }
}
