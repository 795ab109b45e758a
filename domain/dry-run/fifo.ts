/** A queue that takes items in constant time, unlike `Array.shift()`. */
export class Fifo<T> {
  private taken = 0;

  constructor(private readonly items: T[] = []) {}

  get size(): number {
    return this.items.length - this.taken;
  }

  push(item: T): void {
    this.items.push(item);
  }

  /** Removes and returns at most `limit` items. */
  take(limit: number): T[] {
    const items = this.items.slice(this.taken, this.taken + limit);
    this.taken += items.length;
    return items;
  }
}
