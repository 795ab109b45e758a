/** A workflow run on the server, its history, and the interface between server and workers. */
import type { temporal } from '@temporalio/proto';
import type { Cancel, Owner } from '../time/scheduler';
import type { SimulatedProcess, World } from '../world';

export type Payload = temporal.api.common.v1.IPayload;
export type Failure = temporal.api.failure.v1.IFailure;

export type LocalResult = { completed: Payload | null } | { failed: Failure };

/** A command of a workflow task, as recorded in the history. */
export interface RecordedCommand {
  /** A replay must produce the same key at this position. */
  key: string;
  /** Result of a local activity, for which the history has no other event. */
  marker?: { seq: number; result: LocalResult; atMs: number };
}

export type HistoryEvent =
  | { kind: 'started'; atMs: number }
  | { kind: 'taskScheduled'; atMs: number }
  | { kind: 'taskStarted'; atMs: number }
  | { kind: 'taskCompleted'; atMs: number }
  | { kind: 'taskTimedOut'; atMs: number }
  | { kind: 'taskFailed'; atMs: number; why: string }
  | { kind: 'command'; atMs: number; command: RecordedCommand }
  | { kind: 'signaled'; atMs: number; name: string; input: Payload[] }
  | { kind: 'cancelRequested'; atMs: number }
  | { kind: 'timerFired'; atMs: number; seq: number }
  | { kind: 'activityCompleted'; atMs: number; seq: number; result: Payload | null }
  | { kind: 'activityFailed'; atMs: number; seq: number; type: string; failure: Failure }
  | { kind: 'childStarted'; atMs: number; seq: number; runId: string }
  | { kind: 'childRefused'; atMs: number; seq: number; workflowId: string; type: string }
  | { kind: 'childClosed'; atMs: number; seq: number };

/** A completed workflow task, or the current one. */
export interface Segment {
  /** Events that activate the workflow. */
  incoming: HistoryEvent[];
  startedMs: number;
  /** Null while the task is in progress. */
  commands: RecordedCommand[] | null;
  /** Index after the task's last event. */
  endsAt: number;
}

const isOfTasks = ({ kind }: HistoryEvent): boolean => kind.startsWith('task');

/**
 * Returns the workflow tasks of a history from an index on. A task that timed out or failed has no commands, so its events belong to the
 * next completed task.
 */
export function segmentsOf(events: readonly HistoryEvent[], from: number): Segment[] {
  const segments: Segment[] = [];
  let begin = from;
  for (let index = from; index < events.length; index += 1) {
    const event = events[index];
    if (event?.kind !== 'taskStarted') continue;
    const after = events[index + 1];
    if (after !== undefined && after.kind !== 'taskCompleted') continue;
    const incoming = events.slice(begin, index).filter((each) => !isOfTasks(each) && each.kind !== 'command');
    const commands: RecordedCommand[] = [];
    let end = index + 2;
    for (let each = events[end]; each?.kind === 'command'; each = events[(end += 1)])
      commands.push(each.command);
    const isUnderWay = after === undefined;
    begin = isUnderWay ? index + 1 : end;
    segments.push({ incoming, startedMs: event.atMs, commands: isUnderWay ? null : commands, endsAt: begin });
  }
  return segments;
}

type RunStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'continued' | 'terminated';

/** Tells the server how to treat a running child when its parent closes. */
export type ParentClosePolicy = 'terminate' | 'abandon' | 'cancel';

interface Parent {
  run: Run;
  /** Sequence number of the command that started the child. */
  seq: number;
  closePolicy: ParentClosePolicy;
}

interface WorkflowTask {
  state: 'scheduled' | 'started';
  /** Attempt of this workflow task, starting at 1. */
  attempt: number;
  /** Identifies the worker's task. */
  token: number;
  cancelTimeout: Cancel | null;
}

export interface RetryPolicy {
  initialMs: number;
  coefficient: number;
  maximumMs: number;
  attempts: number;
  nonRetryable: readonly string[];
}

export interface PendingActivity {
  seq: number;
  id: string;
  type: string;
  input: Payload[];
  attempt: number;
  token: number;
  /** Infinite if there is no limit. */
  startToCloseMs: number;
  heartbeatMs: number;
  closesAtMs: number;
  retry: RetryPolicy;
  isStarted: boolean;
  cancelTimeout: Cancel | null;
  cancelHeartbeat: Cancel | null;
}

export interface Run {
  readonly runId: string;
  readonly workflowId: string;
  readonly type: string;
  readonly input: Payload[];
  readonly startedMs: number;
  readonly taskTimeoutMs: number;
  readonly parent: Parent | null;
  status: RunStatus;
  readonly events: HistoryEvent[];
  /** Events that arrive during a task. They are added to the history after the task. */
  buffered: HistoryEvent[];
  task: WorkflowTask | null;
  /** The worker that has the run in its cache. */
  sticky: SimulatedProcess | null;
  readonly timers: Map<number, Cancel>;
  readonly activities: Map<number, PendingActivity>;
  isCancelRequested: boolean;
}

export interface StartRequest {
  workflowId: string;
  type: string;
  input: Payload[];
  taskTimeoutMs: number;
  parent?: Parent;
}

export interface WorkflowTaskOffer {
  run: Run;
  token: number;
  attempt: number;
}

export interface ActivityOffer {
  run: Run;
  activity: PendingActivity;
  token: number;
}

/** Use of a worker slot, for a workflow task or for an activity. */
export type SlotFor = { kind: 'workflowTask'; runId: string } | { kind: 'activity' };

/** A worker as the server sees it. */
export interface Poller {
  readonly process: SimulatedProcess;
  /** Returns true if the worker polls for this kind of task, because it has a free slot or already has one for this run. */
  hasSlotFor(task: SlotFor): boolean;
  holdSlotFor(task: SlotFor): void;
  takeWorkflowTask(offer: WorkflowTaskOffer): void;
  takeActivity(offer: ActivityOffer): void;
}

export type ActivityOutcome =
  | { completed: Payload | null }
  | { failed: Failure; type: string; isRetryable: boolean; nextRetryMs: number | null };

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
