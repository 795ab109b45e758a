/** Runs items together that would wait for each other in statements of their own. */
import { isDatabaseAway } from './database-away';
import { errorCode } from './error-code';

export interface BatchOptions<Item> {
  /** How many batches run at the same time. */
  atOnce: number;
  /** The most items of one batch. */
  items: number;
  /** How long an item waits for others. Without it, items run as soon as fewer than `atOnce` batches do. */
  gatherMs?: number;
  /** Names the sender of an item. When more items wait than fit, each sender gets a place in turn, so a flood delays only its own sender. */
  senderOf?: (item: Item) => string;
}

interface Waiting<Item, Result> {
  item: Item;
  result: Promise<Result>;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** A batch that fails runs again in halves, so no item fails for another's fault. Items of one sender keep their order while `atOnce` is 1. */
export class Batches<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private readonly unsettled = new Set<Waiting<Item, Result>>();
  private underWay = 0;
  private timer: { at: number; id: NodeJS.Timeout } | null = null;
  /** The items that wait have waited long enough. */
  private isDue = false;

  constructor(
    /** Returns the results in the order of the items. */
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly options: BatchOptions<Item>,
  ) {}

  /** `withinMs` shortens the wait of this item and of all that wait with it. */
  add(item: Item, withinMs = Infinity): Promise<Result> {
    const waiting = unsettledOf<Item, Result>(item);
    this.waiting.push(waiting);
    this.unsettled.add(waiting);
    const isFull = this.waiting.length >= this.options.items;
    this.startWithin(isFull ? 0 : Math.min(withinMs, this.options.gatherMs ?? 0));
    return waiting.result;
  }

  /** Starts what waits if it includes such an item, and resolves when all such items are settled. Rejects if Postgres was away for one of them. */
  async flush(isMeant: (item: Item) => boolean): Promise<void> {
    if (this.waiting.some(({ item }) => isMeant(item))) this.startWithin(0);
    const meant = [...this.unsettled].filter(({ item }) => isMeant(item));
    for (const settled of await Promise.allSettled(meant.map(({ result }) => result))) {
      if (settled.status === 'rejected' && isDatabaseAway(settled.reason)) throw settled.reason;
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
      for (const [nth, each] of batch.entries()) {
        this.unsettled.delete(each);
        each.resolve(results[nth] as Result);
      }
    } catch (error) {
      if (batch.length > 1 && mayBeOfOneItem(error)) {
        const half = Math.ceil(batch.length / 2);
        await this.runBatch(batch.slice(0, half));
        await this.runBatch(batch.slice(half));
        return;
      }
      for (const each of batch) {
        this.unsettled.delete(each);
        each.reject(error);
      }
    }
  }
}

function unsettledOf<Item, Result>(item: Item): Waiting<Item, Result> {
  let resolve: (result: Result) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const result = new Promise<Result>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { item, result, resolve, reject };
}

/** The first of each sender, then the second of each. */
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

/** While Postgres is away every half would fail too, each after its own time-out. */
const mayBeOfOneItem = (error: unknown): boolean => !isDatabaseAway(error) || CONFLICTS.has(errorCode(error));
