/** Runs work after a delay. */
export class Pending {
  private readonly waiting = new Set<Promise<void>>();

  constructor(private readonly wait: () => Promise<unknown>) {}

  /** `look` must handle its own errors. */
  later(look: () => Promise<void>): void {
    const done = this.wait().then(look);
    this.waiting.add(done);
    void done.finally(() => this.waiting.delete(done));
  }

  /** Resolves once all deferred work is done, because no other process would repeat it. */
  async settled(): Promise<void> {
    while (this.waiting.size > 0) await Promise.all(this.waiting);
  }
}
