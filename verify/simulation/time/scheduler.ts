/**
 * Virtual time. Everything in a run is a scheduler entry. The entry that is due first runs until nothing continues, then the next one.
 * Nothing else affects the order, so a run repeats exactly.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Owner of an entry. Entries of a dead process are dropped, and those of a stalled one wait. */
export interface Owner {
  readonly name: string;
  isAlive: boolean;
  /** End of the stall in virtual milliseconds, or 0. */
  stalledUntilMs: number;
}

export type Cancel = () => void;

interface Entry {
  atMs: number;
  order: number;
  owner: Owner | null;
  run: () => void;
  isCancelled: boolean;
}

const realImmediate = globalThis.setImmediate;

/** The process whose code is running; undefined outside all processes. */
export const currentOwner = new AsyncLocalStorage<Owner | null>();

export class Scheduler {
  private readonly heap: Entry[] = [];
  private order = 0;
  private working = 0;
  private onIdle: (() => void) | null = null;
  private failure: { error: unknown } | null = null;
  /** Number of entries executed so far. */
  steps = 0;

  constructor(public nowMs: number) {}

  after(delayMs: number, owner: Owner | null, run: () => void): Cancel {
    const entry = {
      atMs: this.nowMs + Math.max(0, delayMs),
      order: (this.order += 1),
      owner,
      run,
      isCancelled: false,
    };
    push(this.heap, entry);
    return () => void (entry.isCancelled = true);
  }

  /** Resolves in the calling process after the delay, or never if that process dies. */
  sleep(delayMs: number, owner: Owner | null): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, owner, resolve));
  }

  /** Runs real work of Postgres or the workflow runtime, while virtual time stands still. */
  work<T>(start: () => Promise<T>): Promise<T> {
    this.working += 1;
    const done = (): void => {
      this.working -= 1;
      if (this.working === 0) this.onIdle?.();
    };
    const working = currentOwner.exit(start);
    working.then(done, done);
    return working;
  }

  /** Ends the run with an error, so that a gap in the simulation never passes for a verdict. */
  fail(error: unknown): void {
    this.failure ??= { error };
  }

  /** Runs entries until `isOver` returns true (checked before each entry), until the given time, or until no entries are left. */
  async run(isOver: () => boolean, untilMs: number): Promise<'over' | 'late' | 'idle'> {
    await this.untilIdle();
    for (;;) {
      if (this.failure !== null) throw this.failure.error;
      if (isOver()) return 'over';
      const entry = pop(this.heap);
      if (entry === undefined) return 'idle';
      if (entry.isCancelled || entry.owner?.isAlive === false) continue;
      if (entry.owner !== null && entry.owner.stalledUntilMs > Math.max(entry.atMs, this.nowMs)) {
        // Moves the same entry object, because its owner may still cancel it.
        entry.atMs = entry.owner.stalledUntilMs;
        push(this.heap, entry);
        continue;
      }
      if (entry.atMs > untilMs) return 'late';
      this.nowMs = Math.max(this.nowMs, entry.atMs);
      this.steps += 1;
      currentOwner.run(entry.owner, entry.run);
      await this.untilIdle();
    }
  }

  /** Waits until no promise continues except through a scheduler entry. */
  private async untilIdle(): Promise<void> {
    do {
      await new Promise<void>((resolve) => realImmediate(resolve));
      if (this.working > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
      this.onIdle = null;
    } while (this.working > 0);
    // Also lets continuations of the last work run.
    await new Promise<void>((resolve) => realImmediate(resolve));
    if (this.working > 0) await this.untilIdle();
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

function push(heap: Entry[], entry: Entry): void {
  let index = heap.length;
  while (index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(entry, parent)) break;
    heap[index] = parent;
    index = above;
  }
  heap[index] = entry;
}

function pop(heap: Entry[]): Entry | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    let below = 2 * index + 1;
    let child = heap[below];
    if (child === undefined) break;
    const other = heap[below + 1];
    if (other !== undefined && isBefore(other, child)) {
      below += 1;
      child = other;
    }
    if (!isBefore(child, last)) break;
    heap[index] = child;
    index = below;
  }
  heap[index] = last;
  return first;
}
