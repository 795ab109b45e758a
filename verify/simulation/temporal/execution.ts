/** A workflow run on the server. */
import type { Cancel } from '../time/scheduler';
import type { SimulatedProcess } from '../world';
import type { Failure, HistoryEvent, Payload } from './history';

export type RunStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'continued' | 'terminated';

/** Tells the server how to treat a running child when its parent closes. */
export type ParentClosePolicy = 'terminate' | 'abandon' | 'cancel';

export interface Parent {
  run: Run;
  /** Sequence number of the command that started the child. */
  seq: number;
  closePolicy: ParentClosePolicy;
}

export interface WorkflowTask {
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
