/**
 * Hands calls that have just got a line to a worker, which dials them directly. If that worker dies, another one is woken. If no worker
 * dials in time, the calls' workflows are signalled (docs/decisions/0029-direct-dials.md).
 */
import {
  CALLS_PER_WAKE_UP,
  undialled,
  wakeWorkers,
  type UndialledCall,
  type WokenWorker,
} from '../../db/calls/dial-wake-ups';
import { Batches } from '../../db/kernel/batches';
import type { Db } from '../../db/kernel/connection';
import { signalWorkflows, type SignalLog, type SignalSender } from '../../runtime/signal-workflows';
import { outsideRequest } from '../http/log';

const CHECK_EVERY_MS = 250;
/** Longer than a busy worker takes to begin a dial. */
const SIGNAL_AFTER_MS = 1_000;

export interface DialWorkers {
  /** Wakes a worker for each call. Returns an empty list if no worker listens. */
  wake(callIds: readonly string[]): Promise<WokenWorker[]>;
  /** Returns those of the calls whose dial has no result yet. */
  undialled(woken: readonly { callId: string; worker: string }[]): Promise<UndialledCall[]>;
}

export const dialWorkers = (db: Db, clock: { now: () => number }): DialWorkers => ({
  wake: (callIds) => wakeWorkers(db, callIds),
  undialled: (woken) => undialled(db, woken, clock.now()),
});

interface DialWakeUpDependencies {
  workers: DialWorkers;
  signals: SignalSender;
  log: SignalLog;
}

export class DialWakeUps {
  /** Signals workflows, and wakes workers for calls that have got a line. */
  readonly signals: SignalSender = {
    getHandle: (id) => this.deps.signals.getHandle(id),
    dial: (callIds) => this.wakeSoon(callIds),
  };
  /** Calls whose dial isn't known to have begun. */
  private readonly woken = new Map<string, { worker: string; since: number }>();
  private readonly batches: Batches<string, void>;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly deps: DialWakeUpDependencies) {
    this.batches = new Batches((callIds) => this.wake(callIds), { atOnce: 1, items: CALLS_PER_WAKE_UP });
  }

  /** The carrier has reported the call, so there is no need to check on it. */
  dialled(callId: string): void {
    this.woken.delete(callId);
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private wakeSoon(callIds: readonly string[]): void {
    for (const callId of callIds) void this.batches.add(callId);
  }

  /** Runs outside the request that granted the lines, because the wake-ups of all organizations share it. */
  private wake(callIds: readonly string[]): Promise<void[]> {
    return outsideRequest(async () => {
      const since = performance.now();
      const workers = await this.deps.workers.wake(callIds).catch(() => []);
      for (const { worker, callIds: sent } of workers)
        for (const callId of sent) this.woken.set(callId, { worker, since });
      if (workers.length === 0) void this.signal(callIds);
      this.checkLater();
      return callIds.map(() => undefined);
    });
  }

  private checkLater(): void {
    if (this.timer !== null || this.woken.size === 0) return;
    this.timer = setTimeout(() => void this.check(), CHECK_EVERY_MS);
    this.timer.unref();
  }

  private async check(): Promise<void> {
    const now = performance.now();
    const due = [...this.woken].flatMap(([callId, { worker, since }]) =>
      now - since < CHECK_EVERY_MS ? [] : [{ callId, worker, isLate: now - since >= SIGNAL_AFTER_MS }],
    );
    const undialled = due.length === 0 ? [] : await this.undialled(due);
    const left = new Map(undialled.map((each) => [each.callId, each]));
    const lost: string[] = [];
    const late: string[] = [];
    for (const { callId, isLate } of due) {
      const state = left.get(callId);
      // A busy worker that still listens gets more time, and one that has begun the dial or its preparation finishes it.
      if (state?.isListening === true && (state.isRequested || state.isPreparing || !isLate)) continue;
      this.woken.delete(callId);
      if (state === undefined) continue;
      if (state.isListening || state.isRequested) late.push(callId);
      else lost.push(callId);
    }
    this.wakeSoon(lost);
    await this.signal(late);
    this.timer = null;
    this.checkLater();
  }

  /** If Postgres doesn't respond, the calls are checked again until they are late. */
  private undialled(due: readonly { callId: string; worker: string }[]): Promise<UndialledCall[]> {
    return this.deps.workers
      .undialled(due)
      .catch(() =>
        due.map(({ callId }) => ({ callId, isRequested: false, isListening: true, isPreparing: false })),
      );
  }

  private signal(callIds: readonly string[]): Promise<void> {
    return signalWorkflows(this.deps.signals, this.deps.log, {
      granted: [...callIds],
      refillCampaignId: null,
    });
  }
}
