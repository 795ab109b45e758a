/** Items that statements of their own would make wait for each other, run a batch at a time. */

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * An item runs at once while fewer than `atOnce` batches are under way, else together with all that came meanwhile: no item waits for a
 * timer, and batches grow with the load. Where a batch fails, each of its items runs alone, so that none fails for another's fault.
 */
export class Batches<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;

  constructor(
    /** The results are in the order of the items. */
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: { atOnce: number; items: number },
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.start();
    });
  }

  private start(): void {
    if (this.underWay >= this.limits.atOnce) return;
    const batch = this.waiting.splice(0, this.limits.items);
    if (batch.length === 0) return;
    this.underWay++;
    void this.runBatch(batch).finally(() => {
      this.underWay--;
      this.start();
    });
  }

  private async runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, nth) => resolve(results[nth] as Result));
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const one of batch) await this.runBatch([one]);
    }
  }
}
