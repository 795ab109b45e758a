/** A queue, pool or buffer that organizations share. Each is limited to its share, and waiting organizations are served in turn. */
export interface ShareLimits {
  /** Units that all organizations together can hold. A unit is a slot or a byte of a buffer. */
  most: number;
  /** Units that one organization can hold. */
  mostOfOne: number;
  /** Most waiting requests. Default: none. */
  waiting?: number;
  /** Most waiting requests of one organization. Default: a quarter of `waiting`. */
  waitingOfOne?: number;
  /** Longest wait. */
  waitMs?: number;
}

/** Releases the units. Calls after the first have no effect. */
export type Release = () => void;

interface Waiting {
  units: number;
  begin: (release: Release) => void;
}

export class Shares {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  /** In the order in which organizations were last served, longest ago first. */
  private readonly queues = new Map<string, Waiting[]>();
  private waiting = 0;

  constructor(private readonly limits: ShareLimits) {}

  /** Takes units without waiting. Returns null if too few are free, or if `whose` would hold more than `mostOfOne`. */
  take(whose: string, { units = 1, mostOfOne = this.limits.mostOfOne } = {}): Release | null {
    const own = this.heldBy.get(whose) ?? 0;
    if (this.held + units > this.limits.most || own + units > mostOfOne) return null;
    this.held += units;
    this.heldBy.set(whose, own + units);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.held -= units;
      const left = (this.heldBy.get(whose) ?? 0) - units;
      if (left > 0) this.heldBy.set(whose, left);
      else this.heldBy.delete(whose);
      this.serve();
    };
  }

  /** Like `take`, but waits in line. Returns null if too many requests wait already or the wait is over. */
  async enter(whose: string, units = 1): Promise<Release | null> {
    const { waiting = 0, waitingOfOne = Math.ceil(waiting / 4), waitMs = 0 } = this.limits;
    const taken = this.take(whose, { units });
    if (taken !== null) return taken;
    const queue = this.queues.get(whose) ?? [];
    if (this.waiting >= waiting || queue.length >= waitingOfOne) return null;
    return new Promise((resolve) => {
      const turn: Waiting = {
        units,
        begin: (release) => {
          clearTimeout(timer);
          resolve(release);
        },
      };
      const timer = setTimeout(() => {
        this.leave(whose, turn);
        resolve(null);
      }, waitMs);
      this.queues.set(whose, [...queue, turn]);
      this.waiting += 1;
    });
  }

  /** Runs the work while it holds a unit. Returns null without starting it if `enter` does. */
  async run<T>(whose: string, work: () => Promise<T>): Promise<T | null> {
    const release = await this.enter(whose);
    if (release === null) return null;
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Grants free units to waiting requests, one organization after the other. */
  private serve(): void {
    for (const [whose, [next]] of this.queues) {
      if (next === undefined) continue;
      const release = this.take(whose, { units: next.units });
      if (release === null) continue;
      this.leave(whose, next);
      next.begin(release);
    }
  }

  /** Removes the request and moves the organization to the end. */
  private leave(whose: string, turn: Waiting): void {
    const rest = (this.queues.get(whose) ?? []).filter((other) => other !== turn);
    this.waiting -= 1;
    this.queues.delete(whose);
    if (rest.length > 0) this.queues.set(whose, rest);
  }
}
