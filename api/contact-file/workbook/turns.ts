/** At most so many pieces of work at once; the others wait for their turn, in order, and too many are refused. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: { atOnce: number; waiting: number }) {}

  /** Null, without starting the work, when too many wait already. */
  async take<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.running >= this.limits.atOnce) {
      if (this.waiting.length >= this.limits.waiting) return null;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
