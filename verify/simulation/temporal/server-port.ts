import type { Owner } from '../time/scheduler';
import type { World } from '../world';
import type { PendingActivity, Poller, Run, RunStatus, SlotFor, StartRequest } from './execution';
import type { HistoryEvent } from './history';

export class AlreadyStarted extends Error {
  override name = 'AlreadyStarted';
}

/** The server as commands and activities use it. */
export interface ServerPort {
  readonly world: World;
  /** Stalls while the server is unreachable. */
  readonly process: Owner;
  readonly activities: { schedule(run: Run, activity: PendingActivity): void };
  nextId(): number;
  /** @throws AlreadyStarted if one is running, or if `reuse` is false and one ran before */
  start(request: StartRequest, reuse?: boolean): Run;
  /** Adds an event that the workflow must see. */
  happened(run: Run, event: HistoryEvent): void;
  /** The run's own code fails it, and the server is about to close it. */
  onFailedRun(run: Run, why: string): void;
  /** The run closed itself or reached its limit. */
  close(run: Run, status: Exclude<RunStatus, 'running'>): void;
  /** Returns the named worker or any that polls, or undefined if all slots are taken. */
  choose(name: string | null, task: SlotFor): Poller | undefined;
  /** Calls back in the order of registration. */
  whenAnyPolls(give: () => void): void;
}
