/** First in, first out, without moving what is behind: a shift of ten thousand is not ten thousand moves. */
export class Fifo<T> {
  private taken = 0;

  constructor(private readonly items: T[] = []) {}

  get size(): number {
    return this.items.length - this.taken;
  }

  push(item: T): void {
    this.items.push(item);
  }

  /** At most `limit`. */
  take(limit: number): T[] {
    const items = this.items.slice(this.taken, this.taken + limit);
    this.taken += items.length;
    return items;
  }
}
