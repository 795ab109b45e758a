/**
 * Limiter for a queue, pool or buffer that organizations share within this process. Each organization is limited to its share, and waiting
 * organizations are served in rotation. Limits across all processes are kept in Postgres (`take_receiver_slot` and `trunk_slot`).
 */
import { withTimeout } from './network/time-limit';

export interface ShareLimits {
  /** Maximum units that all organizations together can hold. A unit is a slot or a byte of a buffer. */
  max: number;
  /** Maximum units that one organization can hold. Default: `max`. */
  maxPerOwner?: number;
  /** Maximum number of waiting requests. Default: none. */
  waiting?: number;
  /** Maximum number of waiting requests of one organization. Default: a quarter of `waiting`. */
  waitingPerOwner?: number;
  /** Maximum time in the queue. */
  waitMs?: number;
}

/** Releases the units. Calls after the first have no effect. */
export type Release = () => void;

type Begin = (release: Release) => void;

export class Shares {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  /** Ordered by when organizations were last served, longest ago first. */
  private readonly queues = new Map<string, Begin[]>();
  private waiting = 0;

  constructor(private readonly limits: ShareLimits) {}

  /** Takes units without waiting. Returns null if too few are free, or if `owner` would hold more than `maxPerOwner`. */
  take(
    owner: string,
    {
      units = 1,
      maxPerOwner = this.limits.maxPerOwner ?? Infinity,
    }: { units?: number; maxPerOwner?: number } = {},
  ): Release | null {
    const own = this.heldBy.get(owner) ?? 0;
    if (this.held + units > this.limits.max || own + units > maxPerOwner) return null;
    this.held += units;
    this.heldBy.set(owner, own + units);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.held -= units;
      const left = (this.heldBy.get(owner) ?? 0) - units;
      if (left > 0) this.heldBy.set(owner, left);
      else this.heldBy.delete(owner);
      this.serve();
    };
  }

  /** Waits in the queue for one unit. Returns null if too many requests are already waiting or the wait takes too long. */
  async enter(owner: string): Promise<Release | null> {
    const { waiting = 0, waitingPerOwner = Math.ceil(waiting / 4), waitMs = 0 } = this.limits;
    const taken = this.take(owner);
    if (taken !== null) return taken;
    const queue = this.queues.get(owner) ?? [];
    if (this.waiting >= waiting || queue.length >= waitingPerOwner) return null;
    let begin: Begin = () => undefined;
    const begun = new Promise<Release>((resolve) => (begin = resolve));
    this.queues.set(owner, [...queue, begin]);
    this.waiting += 1;
    return withTimeout(waitMs, begun, () => {
      this.leave(owner, begin);
      return null;
    });
  }

  /** Runs the work while it holds a unit. Returns null without running the work if `enter` returns null. */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T | null> {
    const release = await this.enter(owner);
    if (release === null) return null;
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Grants free units to waiting requests, one per organization in rotation. */
  private serve(): void {
    for (const [owner, [next]] of this.queues) {
      if (next === undefined) continue;
      const release = this.take(owner);
      if (release === null) continue;
      this.leave(owner, next);
      next(release);
    }
  }

  /** Removes the request and moves the organization to the end. */
  private leave(owner: string, begin: Begin): void {
    const rest = (this.queues.get(owner) ?? []).filter((other) => other !== begin);
    this.waiting -= 1;
    this.queues.delete(owner);
    if (rest.length > 0) this.queues.set(owner, rest);
  }
}

/**
 * Works on all items with limited concurrency. After an error it still processes the other items, and then rejects with the first error.
 */
export async function forEachAtOnce<T>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  // All lanes share one iterator, so each lane takes the next item when it is free.
  const left = items.values();
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
