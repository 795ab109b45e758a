/** One run of a workflow, as the server keeps it. */
import type { Cancel } from '../time/scheduler';
import type { SimulatedProcess } from '../world';
import type { Failure, HistoryEvent, Payload } from './history';

export type RunStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'continued' | 'terminated';

/** What becomes of a child that still runs when its parent has closed. */
export type ParentClosePolicy = 'terminate' | 'abandon' | 'cancel';

export interface Parent {
  run: Run;
  /** Of the command by which it started the child. */
  seq: number;
  closePolicy: ParentClosePolicy;
}

export interface WorkflowTask {
  state: 'scheduled' | 'started';
  /** Of the same task; 1 for the first. */
  attempt: number;
  /** By whom it was begun. */
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
  /** Infinite where there is no such limit. */
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
  /** What happened while a task was under way: it comes into the history after the task. */
  buffered: HistoryEvent[];
  task: WorkflowTask | null;
  /** The worker that has it in its cache. */
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

/** What a slot of a worker is wanted for. */
export type SlotFor = { kind: 'workflowTask'; runId: string } | { kind: 'activity' };

/** A worker as the server sees it. */
export interface Poller {
  readonly process: SimulatedProcess;
  /** It polls for tasks of this kind: one of its slots is free, or the run has one already. */
  hasSlotFor(task: SlotFor): boolean;
  holdSlotFor(task: SlotFor): void;
  takeWorkflowTask(offer: WorkflowTaskOffer): void;
  takeActivity(offer: ActivityOffer): void;
}

export type ActivityOutcome =
  | { completed: Payload | null }
  | { failed: Failure; type: string; isRetryable: boolean; nextRetryMs: number | null };
