/**
 * Waits for somebody outside (a receiver, an agent, a registry) within a workflow task. Each holds one of the worker's slots for workflow tasks,
 * which the calls of all clients share. So it is short, they are few, and a service that kept us waiting lately is left to a regular activity from
 * the start (docs/decisions/0025-brief-waits.md).
 */
import type { ActivityLog } from './log';
import { Shares } from '../runtime/shares';

/** The longest that a wait for somebody outside holds a slot for workflow tasks. */
export const BRIEF_MS = 500;

export type Waited<T> =
  | { kind: 'done'; value: T }
  /** It goes on without the caller. */
  | { kind: 'late' };

export interface BriefWait {
  /**
   * The result of the work if it comes within `BRIEF_MS`. Work that is late is not broken off: it sees to its own result. Rejects as the
   * work does while somebody waits for it; a later failure is logged.
   */
  until<T>(work: () => Promise<T>): Promise<Waited<T>>;
  /** Gives the place back; to be called once, also where nothing was waited for. */
  end(): void;
}

export interface BriefWaits {
  /** Null where `whom` kept us waiting when we last asked, or as many waits as may be are under way: then a regular activity is to ask. */
  begin(whom: string, options?: { ofOne?: number }): BriefWait | null;
  /** For a regular activity, which waits as long as it takes: remembers whether `whom` is quick. */
  timed<T>(whom: string, work: () => Promise<T>): Promise<T>;
  /** Whether `whom` kept us waiting when we last asked, or does now. */
  isSlow(whom: string): boolean;
  /** Once what was late is over: to be awaited before what it needs is closed. */
  settled(): Promise<void>;
}

export interface BriefWaitsOptions {
  /** All of them in this worker at once. */
  most: number;
  log: Pick<ActivityLog, 'warn'>;
  /** `BRIEF_MS` unless set. */
  limitMs?: number;
}

/** Of those who are slow, the ones that were asked last. A key is a hundred bytes or so. */
const REMEMBERED = 10_000;

/** Who was slow when asked last. */
function slowOnes(): { has(whom: string): boolean; add(whom: string): void; remove(whom: string): void } {
  const keys = new Set<string>();
  return {
    has: (whom) => keys.has(whom),
    add(whom) {
      keys.delete(whom);
      keys.add(whom);
      const [oldest] = keys;
      if (keys.size > REMEMBERED && oldest !== undefined) keys.delete(oldest);
    },
    remove: (whom) => void keys.delete(whom),
  };
}

export function briefWaits({ most, log, limitMs = BRIEF_MS }: BriefWaitsOptions): BriefWaits {
  const underWay = new Shares({ most, mostOfOne: most });
  const slow = slowOnes();
  const goingOn = new Set<Promise<void>>();

  /** Those who are slow are known as such while they still keep us waiting: others are about to ask them. */
  async function within<T>(whom: string, working: Promise<T>): Promise<Waited<T>> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Waited<T>>((resolve) => {
      timer = setTimeout(() => {
        slow.add(whom);
        resolve({ kind: 'late' });
      }, limitMs);
    });
    try {
      return await Promise.race([working.then((value): Waited<T> => ({ kind: 'done', value })), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  function goOn(working: Promise<unknown>): void {
    const ending = working.then(
      () => undefined,
      (error: unknown) => {
        const name = error instanceof Error ? error.name : 'unknown';
        log.warn({ error: name }, 'a request that outlasted its brief wait failed');
      },
    );
    goingOn.add(ending);
    void ending.then(() => goingOn.delete(ending));
  }

  return {
    begin(whom, { ofOne = most } = {}) {
      if (slow.has(whom)) return null;
      const end = underWay.take(whom, { mostOfOne: ofOne });
      if (end === null) return null;
      return {
        async until(work) {
          const working = work();
          const waited = await within(whom, working);
          if (waited.kind === 'late') goOn(working);
          return waited;
        },
        end,
      };
    },

    async timed(whom, work) {
      const working = work();
      const waited = await within(whom, working);
      if (waited.kind === 'late') return working;
      slow.remove(whom);
      return waited.value;
    },

    isSlow: (whom) => slow.has(whom),

    async settled() {
      while (goingOn.size > 0) await Promise.all(goingOn);
    },
  };
}
