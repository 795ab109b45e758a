import type { Owner } from '../time/scheduler';
import type { World } from '../world';
import type { PendingActivity, Poller, Run, RunStatus, SlotFor, StartRequest } from './execution';
import type { HistoryEvent } from './history';

export class AlreadyStarted extends Error {
  override name = 'AlreadyStarted';
}

/** The server's operations for commands and activities. */
export interface ServerPort {
  readonly world: World;
  /** Stalls while the server is unreachable. */
  readonly process: Owner;
  readonly activities: { schedule(run: Run, activity: PendingActivity): void };
  nextId(): number;
  /** @throws AlreadyStarted if a run is open, or if `reuse` is false and there was an earlier one */
  start(request: StartRequest, reuse?: boolean): Run;
  /** Adds an event that the workflow must see. */
  happened(run: Run, event: HistoryEvent): void;
  /** Called when the run's own code fails it, just before the server closes it. */
  onFailedRun(run: Run, why: string): void;
  /** Called when the run closes itself or reaches its limit. */
  close(run: Run, status: Exclude<RunStatus, 'running'>): void;
  /** Returns the named worker, or any worker that polls if the name is null. Returns undefined if all slots are taken. */
  choose(name: string | null, task: SlotFor): Poller | undefined;
  /** Calls `give` once a worker polls. Callbacks are called in the order of registration. */
  whenAnyPolls(give: () => void): void;
}
