/**
 * Waits briefly for a webhook receiver, an agent or a registry within a workflow task. These waits are limited, because they occupy
 * workflow-task slots that all organizations share. If a peer was slow last time, a regular activity waits for it instead
 * (docs/decisions/0025-brief-waits.md).
 */
import type { ActivityLog } from './log';
import { withTimeout } from '../runtime/network/time-limit';
import { Shares } from '../runtime/shares';

/** The longest that a brief wait may occupy a workflow-task slot. */
export const BRIEF_MS = 500;

type Waited<T> =
  | { kind: 'done'; value: T }
  /** The limit passed first. The work continues in the background. */
  | { kind: 'late' };

export interface BriefWait {
  /**
   * Returns the work's result if it finishes within `BRIEF_MS`. Late work continues in the background, and nothing receives its result. If
   * it fails, the failure is logged.
   */
  until<T>(work: () => Promise<T>): Promise<Waited<T>>;
  /** Releases the slot. Must be called exactly once. */
  end(): void;
}

export interface BriefWaits {
  /** Returns null if this peer was slow last time or all slots are taken. Use a regular activity in that case. */
  begin(peer: string, options?: { perOwner?: number }): BriefWait | null;
  /** Waits without a time limit, for use in a regular activity. Records whether the peer is slow. */
  timed<T>(peer: string, work: () => Promise<T>): Promise<T>;
  /** Returns whether the peer was slow last time or is slow now. */
  isSlow(peer: string): boolean;
  /** Resolves when all late work has finished. Await it before closing the resources that this work uses. */
  drained(): Promise<void>;
}

export interface BriefWaitsOptions {
  /** Maximum simultaneous waits in this worker. */
  max: number;
  log: Pick<ActivityLog, 'warn'>;
  /** How long to wait for the result. Default: `BRIEF_MS`. */
  limitMs?: number;
}

/** Maximum number of slow peers to remember. Each takes about 100 bytes. */
const REMEMBERED = 10_000;

function slowPeers(): { has(peer: string): boolean; add(peer: string): void; remove(peer: string): void } {
  const keys = new Set<string>();
  return {
    has: (peer) => keys.has(peer),
    add(peer) {
      keys.delete(peer);
      keys.add(peer);
      const [oldest] = keys;
      if (keys.size > REMEMBERED && oldest !== undefined) keys.delete(oldest);
    },
    remove: (peer) => void keys.delete(peer),
  };
}

export function briefWaits({ max, log, limitMs = BRIEF_MS }: BriefWaitsOptions): BriefWaits {
  const slots = new Shares({ max });
  const slow = slowPeers();
  const lateWork = new Set<Promise<void>>();

  /**
   * Marks the peer as slow as soon as the limit passes, even though the work continues, because other calls may be about to contact this
   * peer.
   */
  function within<T>(peer: string, working: Promise<T>): Promise<Waited<T>> {
    const done = working.then((value): Waited<T> => ({ kind: 'done', value }));
    return withTimeout(limitMs, done, (): Waited<T> => {
      slow.add(peer);
      return { kind: 'late' };
    });
  }

  function continueLate(working: Promise<unknown>): void {
    const ending = working.then(
      () => undefined,
      (error: unknown) => {
        const name = error instanceof Error ? error.name : 'unknown';
        log.warn({ error: name }, 'a request failed after its brief wait was over');
      },
    );
    lateWork.add(ending);
    void ending.then(() => lateWork.delete(ending));
  }

  return {
    begin(peer, { perOwner = max } = {}) {
      if (slow.has(peer)) return null;
      const end = slots.take(peer, { maxPerOwner: perOwner });
      if (end === null) return null;
      return {
        async until(work) {
          const working = work();
          const waited = await within(peer, working);
          if (waited.kind === 'late') continueLate(working);
          return waited;
        },
        end,
      };
    },

    async timed(peer, work) {
      const working = work();
      const waited = await within(peer, working);
      if (waited.kind === 'late') return working;
      slow.remove(peer);
      return waited.value;
    },

    isSlow: (peer) => slow.has(peer),

    async drained() {
      while (lateWork.size > 0) await Promise.all(lateWork);
    },
  };
}
