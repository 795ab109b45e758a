/** What is looked at again in a while. */
export class Pending {
  private readonly waiting = new Set<Promise<void>>();

  constructor(private readonly wait: () => Promise<unknown>) {}

  /** `look` sees to its own failures. */
  later(look: () => Promise<void>): void {
    const done = this.wait().then(look);
    this.waiting.add(done);
    void done.finally(() => this.waiting.delete(done));
  }

  /** Resolves when all that waits was looked at: nobody reports it again. */
  async settled(): Promise<void> {
    while (this.waiting.size > 0) await Promise.all(this.waiting);
  }
}
