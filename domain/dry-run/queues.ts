/** A binary heap that returns the least item first. `isBefore` must be a total order, so that runs are repeatable. */
export class PriorityQueue<T> {
  private readonly heap: T[] = [];

  constructor(private readonly isBefore: (one: T, other: T) => boolean) {}

  get size(): number {
    return this.heap.length;
  }

  peek(): T | undefined {
    return this.heap[0];
  }

  push(item: T): void {
    const { heap } = this;
    heap.push(item);
    let index = heap.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.swapIfBefore(index, parent)) return;
      index = parent;
    }
  }

  pop(): T | undefined {
    const { heap } = this;
    const min = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return min;
    heap[0] = last;
    this.sink();
    return min;
  }

  private sink(): void {
    const { heap } = this;
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && this.comesBefore(left + 1, left) ? left + 1 : left;
      if (!this.swapIfBefore(child, index)) return;
      index = child;
    }
  }

  private comesBefore(index: number, other: number): boolean {
    const one = this.heap[index];
    const two = this.heap[other];
    return one !== undefined && two !== undefined && this.isBefore(one, two);
  }

  private swapIfBefore(index: number, other: number): boolean {
    const one = this.heap[index];
    const two = this.heap[other];
    if (one === undefined || two === undefined || !this.isBefore(one, two)) return false;
    this.heap[index] = two;
    this.heap[other] = one;
    return true;
  }
}

/** A queue that removes items in constant time, unlike `Array.shift()`. */
export class Fifo<T> {
  private taken = 0;

  constructor(private readonly items: T[] = []) {}

  get size(): number {
    return this.items.length - this.taken;
  }

  push(item: T): void {
    this.items.push(item);
  }

  /** Returns the items without removing them. */
  get rest(): readonly T[] {
    return this.items.slice(this.taken);
  }

  peek(): T | undefined {
    return this.items[this.taken];
  }

  /** Removes and returns up to `limit` items. */
  take(limit: number): T[] {
    const items = this.items.slice(this.taken, this.taken + limit);
    this.taken += items.length;
    return items;
  }
}
