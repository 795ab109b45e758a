/** Repeatable random numbers from a seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** Returns a number that is at least 0 and less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number between `from` and `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  shuffled<T>(items: readonly T[]): T[] {
    const order = items.map((item) => ({ item, rank: this.next() }));
    return order.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
  }
}
