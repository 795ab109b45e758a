import type { Owner } from '../time/scheduler';
import type { World } from '../world';
import type { PendingActivity, Poller, Run, RunStatus, SlotFor, StartRequest } from './execution';
import type { HistoryEvent } from './history';

export class AlreadyStarted extends Error {
  override name = 'AlreadyStarted';
}

/** The server as its parts use it: what commands ask for, and activities. */
export interface ServerPort {
  readonly world: World;
  /** It stands still while the server is away. */
  readonly process: Owner;
  readonly activities: { schedule(run: Run, activity: PendingActivity): void };
  nextId(): number;
  /** @throws AlreadyStarted where one runs, or `reuse` is false and one has run */
  start(request: StartRequest, reuse?: boolean): Run;
  /** Something that the workflow is to know of. */
  happened(run: Run, event: HistoryEvent): void;
  /** Its own code fails it, and is about to close it. */
  onFailedRun(run: Run, why: string): void;
  /** Closed by itself, or by its limit. */
  close(run: Run, status: Exclude<RunStatus, 'running'>): void;
  /** The worker that is wanted, else any that polls; none where all slots are taken. */
  choose(name: string | null, task: SlotFor): Poller | undefined;
  /** In the order in which they came. */
  whenAnyPolls(give: () => void): void;
}
