/** Groups items into batches when separate statements for them would wait for each other. */
import { isDatabaseUnreachable } from './database-unreachable';
import { errorCode } from './error-code';

export interface BatchOptions<Item> {
  /** Maximum number of batches that run at the same time. */
  atOnce: number;
  /** Maximum number of items in a batch. */
  items: number;
  /** How long an item waits for others. Default: a batch starts as soon as fewer than `atOnce` are running. */
  gatherMs?: number;
  /**
   * Returns the sender of an item. When more items wait than fit, senders are served in rotation, so a flood delays only its own sender.
   */
  senderOf?: (item: Item) => string;
}

interface Waiting<Item, Result> {
  item: Item;
  result: Promise<Result>;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Retries a failed batch in halves, so that no item fails because of another. Items of one sender keep their order if `atOnce` is 1. */
export class Batches<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private readonly unfinished = new Set<Waiting<Item, Result>>();
  private underWay = 0;
  private timer: { at: number; id: NodeJS.Timeout } | null = null;
  /** The waiting items have waited long enough to start. */
  private isDue = false;

  constructor(
    /** Must return the results in the order of the items. */
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly options: BatchOptions<Item>,
  ) {}

  /** `withinMs` shortens the wait of this item and of all items that wait with it. */
  add(item: Item, withinMs = Infinity): Promise<Result> {
    const waiting = unfinishedOf<Item, Result>(item);
    this.waiting.push(waiting);
    this.unfinished.add(waiting);
    const isFull = this.waiting.length >= this.options.items;
    this.startWithin(isFull ? 0 : Math.min(withinMs, this.options.gatherMs ?? 0));
    return waiting.result;
  }

  /**
   * Starts the waiting items if one of them matches, and resolves when all matching items are done. Rejects if Postgres was unavailable for
   * one of them.
   */
  async flush(isMeant: (item: Item) => boolean): Promise<void> {
    if (this.waiting.some(({ item }) => isMeant(item))) this.startWithin(0);
    await finished([...this.unfinished].filter(({ item }) => isMeant(item)));
  }

  /**
   * Passes the matching items that wait to `run` instead of a batch, after those that are running. If `run` fails because of the items, they
   * run as a batch, and `run` is repeated without them. Rejects as `flush` does.
   */
  async runWith<Value>(
    this: Batches<Item, void>,
    isMeant: (item: Item) => boolean,
    run: (items: readonly Item[]) => Promise<Value>,
  ): Promise<Value> {
    const meant = [...this.unfinished].filter(({ item }) => isMeant(item));
    const running = () => meant.filter((each) => this.unfinished.has(each) && !this.waiting.includes(each));
    // A batch that ends can start the next one with items that waited.
    while (running().length > 0) await finished(running());
    const taken = this.waiting.filter(({ item }) => isMeant(item));
    this.waiting = this.waiting.filter((each) => !taken.includes(each));
    try {
      const value = await run(taken.map(({ item }) => item));
      this.resolve(taken, []);
      return value;
    } catch (error) {
      if (taken.length === 0 || !mayBeOfOneItem(error)) {
        this.reject(taken, error);
        throw error;
      }
      await this.runBatch(taken);
      return run([]);
    }
  }

  private startWithin(ms: number): void {
    const at = performance.now() + ms;
    if (this.isDue || (ms > 0 && this.timer !== null && this.timer.at <= at)) return this.start();
    clearTimeout(this.timer?.id);
    this.isDue = ms <= 0;
    this.timer = this.isDue ? null : { at, id: setTimeout(() => this.startWithin(0), ms) };
    this.start();
  }

  private start(): void {
    if (!this.isDue || this.underWay >= this.options.atOnce) return;
    const batch = this.next();
    this.isDue = this.waiting.length > 0;
    if (batch.length === 0) return;
    this.underWay++;
    void this.runBatch(batch).finally(() => {
      this.underWay--;
      this.start();
    });
  }

  private next(): Waiting<Item, Result>[] {
    const { items, senderOf } = this.options;
    if (senderOf === undefined || this.waiting.length <= items) return this.waiting.splice(0, items);
    const batch = new Set(inTurn(this.waiting, ({ item }) => senderOf(item)).slice(0, items));
    const rest = this.waiting.filter((each) => !batch.has(each));
    const chosen = this.waiting.filter((each) => batch.has(each));
    this.waiting = rest;
    return chosen;
  }

  private async runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      this.resolve(batch, results);
    } catch (error) {
      if (batch.length > 1 && mayBeOfOneItem(error)) {
        const half = Math.ceil(batch.length / 2);
        await this.runBatch(batch.slice(0, half));
        await this.runBatch(batch.slice(half));
        return;
      }
      this.reject(batch, error);
    }
  }

  private resolve(batch: readonly Waiting<Item, Result>[], results: readonly Result[]): void {
    for (const [nth, each] of batch.entries()) {
      this.unfinished.delete(each);
      each.resolve(results[nth] as Result);
    }
  }

  private reject(batch: readonly Waiting<Item, Result>[], error: unknown): void {
    for (const each of batch) {
      this.unfinished.delete(each);
      each.reject(error);
    }
  }
}

/** Resolves when all are done. Rejects if Postgres was unavailable for one of them. */
async function finished(all: readonly Pick<Waiting<unknown, unknown>, 'result'>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(all.map(({ result }) => result))) {
    if (outcome.status === 'rejected' && isDatabaseUnreachable(outcome.reason)) throw outcome.reason;
  }
}

function unfinishedOf<Item, Result>(item: Item): Waiting<Item, Result> {
  let resolve: (result: Result) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const result = new Promise<Result>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { item, result, resolve, reject };
}

/** Interleaves the senders: the first item of each comes before the second of any. */
function inTurn<Each>(all: readonly Each[], senderOf: (each: Each) => string): Each[] {
  const counts = new Map<string, number>();
  const placed = all.map((each) => {
    const sender = senderOf(each);
    const place = counts.get(sender) ?? 0;
    counts.set(sender, place + 1);
    return { each, place };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ each }) => each);
}

const CONFLICTS: ReadonlySet<string | null> = new Set(['40P01', '40001']);

/** Halving is useless while Postgres is unavailable, because every half would fail after its own timeout. */
const mayBeOfOneItem = (error: unknown): boolean =>
  !isDatabaseUnreachable(error) || CONFLICTS.has(errorCode(error));
