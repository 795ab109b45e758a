/** The parts of a workflow history that the engine uses. The server writes them, and workers replay them. */
import type { temporal } from '@temporalio/proto';

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
