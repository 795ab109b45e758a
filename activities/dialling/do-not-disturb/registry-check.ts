/** Checks numbers against the do-not-disturb registry, and caches its answers in Postgres for all workers. */
import type { Db } from '../../../db/kernel/connection';
import { freshAnswer, storeRegistryAnswer } from '../../../db/calls/do-not-disturb';
import type { ActivityLog } from '../../log';

/** An external registry of numbers that must not be called, for example a national one. */
export interface DndRegistry {
  /**
   * Returns whether the registry lists the number (E.164). Doesn't cache or retry.
   * @throws RegistryUnavailable if there is no usable answer in time
   */
  isListed(phoneNumber: string): Promise<boolean>;
}

/** Message and cause are safe to log, because neither contains the number. */
export class RegistryUnavailable extends Error {
  override name = 'RegistryUnavailable';
}

/** `unavailable`: the registry didn't respond, so the number must not be dialled. */
export type RegistryVerdict = 'clear' | 'listed' | 'unavailable';

export interface RegistryCheck {
  /** Maximum age of a cached answer. */
  readonly keptForMs: number;
  /** `now` decides whether a cached answer is still valid. Throws only if Postgres fails. */
  verdict(call: { callId: string; phoneNumber: string; now: number }): Promise<RegistryVerdict>;
}

/** Whether to dial when the registry isn't responding. */
type WhenRegistryDown = 'refuse' | 'dial';

export interface RegistryCheckOptions {
  db: Db;
  registry: DndRegistry;
  log: Pick<ActivityLog, 'warn'>;
  keptForMs: number;
  whenDown: WhenRegistryDown;
  elapsedMs?: () => number;
}

const FAILURES_IN_A_ROW = 5;
const PAUSE_MS = 10_000;

/** Create one per process, so that all calls share its circuit breaker, and simultaneous checks of one number share a request. */
export function registryCheck(options: RegistryCheckOptions): RegistryCheck {
  const { db, registry, log, keptForMs, whenDown, elapsedMs = () => performance.now() } = options;
  const line = circuit({ failuresInARow: FAILURES_IN_A_ROW, pauseMs: PAUSE_MS, elapsedMs });
  const underWay = new Map<string, Promise<boolean | null>>();

  /** Returns null if there is no answer. */
  const ask = async (phoneNumber: string): Promise<boolean | null> => {
    if (!line.mayAsk()) return null;
    try {
      const listed = await registry.isListed(phoneNumber);
      line.answered();
      return listed;
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) throw error;
      const pauseMs = line.failed() ? PAUSE_MS : 0;
      log.warn(
        { error: error.message, pause_ms: pauseMs },
        'no usable answer from the do-not-disturb registry',
      );
      return null;
    }
  };

  const check = async (phoneNumber: string, now: number): Promise<boolean | null> => {
    const kept = await freshAnswer(db, phoneNumber, now - keptForMs);
    if (kept !== undefined) return kept;
    const listed = await ask(phoneNumber);
    if (listed !== null) await storeRegistryAnswer(db, { phoneNumber, listed, requestedAt: now, keptForMs });
    return listed;
  };

  const shared = (phoneNumber: string, now: number): Promise<boolean | null> => {
    const before = underWay.get(phoneNumber);
    if (before !== undefined) return before;
    const answer = check(phoneNumber, now).finally(() => underWay.delete(phoneNumber));
    underWay.set(phoneNumber, answer);
    return answer;
  };

  return {
    keptForMs,
    async verdict({ callId, phoneNumber, now }) {
      const listed = await shared(phoneNumber, now);
      if (listed !== null) return listed ? 'listed' : 'clear';
      if (whenDown === 'refuse') return 'unavailable';
      log.warn({ call_id: callId }, 'dialled without an answer from the do-not-disturb registry');
      return 'clear';
    },
  };
}

/** A circuit breaker. After several failures in a row it stops requests for a while, so that dials don't wait for a timeout each time. */
interface Circuit {
  /**
   * Returns whether a request can be sent. After the pause, it allows a single request and holds back all others until that request is
   * done.
   */
  mayAsk(): boolean;
  /** Returns true if this failure starts a pause. */
  failed(): boolean;
  answered(): void;
}

interface CircuitOptions {
  failuresInARow: number;
  pauseMs: number;
  /** A monotonic clock. */
  elapsedMs: () => number;
}

export function circuit({ failuresInARow, pauseMs, elapsedMs }: CircuitOptions): Circuit {
  let failures = 0;
  let closedUntil = 0;
  return {
    mayAsk() {
      if (failures < failuresInARow) return true;
      if (elapsedMs() < closedUntil) return false;
      closedUntil = elapsedMs() + pauseMs;
      return true;
    },
    failed() {
      failures++;
      if (failures < failuresInARow) return false;
      closedUntil = elapsedMs() + pauseMs;
      return true;
    },
    answered() {
      failures = 0;
    },
  };
}
