/** Reads the histories of a campaign and its calls, counts their billed actions, and splits a line's idle time into parts. */
import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** An event as the server stores it. Exactly one of its attributes is set and determines its type. */
type HistoryEvent = NonNullable<History['events']>[number];

/** Returns milliseconds since the epoch, with a fraction. */
function instantOf({ eventTime }: HistoryEvent): number {
  if (eventTime == null) return NaN;
  return Number(eventTime.seconds) * 1000 + (eventTime.nanos ?? 0) / 1e6;
}

type ActionKind =
  'start' | 'signal' | 'timer' | 'local activities' | 'activity' | 'search attributes' | 'update';

export type Actions = Partial<Record<ActionKind, number>>;

/**
 * Counts the actions of a run. The start of a child counts as two, in the child's history. Local activities count as one for each workflow
 * task that records any, and a regular activity counts once for each attempt.
 */
function actionsOf(events: readonly HistoryEvent[]): Actions {
  const actions: Actions = {};
  const add = (kind: ActionKind, count: number) => (actions[kind] = (actions[kind] ?? 0) + count);
  const recordingTasks = new Set<string>();
  for (const event of events) {
    if (event.markerRecordedEventAttributes) {
      recordingTasks.add(String(event.markerRecordedEventAttributes.workflowTaskCompletedEventId));
      continue;
    }
    const action = actionOf(event);
    if (action !== null) add(...action);
  }
  if (recordingTasks.size > 0) add('local activities', recordingTasks.size);
  return actions;
}

function actionOf(event: HistoryEvent): [ActionKind, number] | null {
  const started = event.workflowExecutionStartedEventAttributes;
  if (started) return ['start', started.parentWorkflowExecution ? 2 : 1];
  if (event.workflowExecutionSignaledEventAttributes) return ['signal', 1];
  if (event.timerStartedEventAttributes) return ['timer', 1];
  // A single event covers all attempts of an activity and contains the number of the last one.
  const activity = event.activityTaskStartedEventAttributes;
  if (activity) return ['activity', activity.attempt ?? 1];
  if (event.upsertWorkflowSearchAttributesEventAttributes) return ['search attributes', 1];
  if (event.workflowExecutionUpdateAcceptedEventAttributes) return ['update', 1];
  return null;
}

export const totalActions = (actions: Actions): number =>
  Object.values(actions).reduce((sum, count) => sum + count, 0);

export interface RunRecord {
  workflowId: string;
  actions: Actions;
  events: readonly HistoryEvent[];
  /** History size that the server reports. */
  bytes: number;
}

/** Returns all runs of a workflow that continues as new, oldest first. */
export async function campaignRuns(client: WorkflowClient, workflowId: string): Promise<RunRecord[]> {
  const runs: RunRecord[] = [];
  let runId: string | null | undefined;
  do {
    const run = await runRecord(client, workflowId, runId ?? undefined);
    runs.unshift(run);
    runId = run.events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
  } while (runId);
  return runs;
}

/** Reads histories one at a time to keep the load on the server low. */
export async function callRecords(client: WorkflowClient, callIds: readonly string[]): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  for (const callId of callIds) records.push(await runRecord(client, callId));
  return records;
}

async function runRecord(client: WorkflowClient, workflowId: string, runId?: string): Promise<RunRecord> {
  const handle = client.getHandle(workflowId, runId);
  const [{ historySize }, { events }] = await Promise.all([handle.describe(), handle.fetchHistory()]);
  return { workflowId, actions: actionsOf(events ?? []), events: events ?? [], bytes: historySize ?? NaN };
}

interface WakeUp {
  /** When Temporal accepted the signal that grants the line. */
  grantedAtMs: number;
  /** When a worker started the resulting workflow task. */
  startedAtMs: number;
}

/** Returns null if no signal granted the call a line. */
export function wakeUpOf(events: readonly HistoryEvent[], signalName: string): WakeUp | null {
  const granted = events.find(
    (event) => event.workflowExecutionSignaledEventAttributes?.signalName === signalName,
  );
  if (granted === undefined) return null;
  const started = events
    .slice(events.indexOf(granted))
    .find((event) => event.workflowTaskStartedEventAttributes);
  if (started === undefined) return null;
  return { grantedAtMs: instantOf(granted), startedAtMs: instantOf(started) };
}

export interface WakeUpStages {
  /** From the end of a call to the signal: the carrier's event, the transaction and the signal. */
  handOverMs: number[];
  /** From the signal until a worker has the workflow task. */
  pickUpMs: number[];
  /** From the workflow task until the carrier has the request: workflow code, the transaction before the dial, and the request. */
  dialMs: number[];
}

/** After the first `lines` grants, the kth grant uses the line that the kth end freed. */
export function stagesOf(
  calls: readonly { wakeUp: WakeUp; requestedAtMs: number }[],
  endedAtMs: readonly number[],
  lines: number,
): WakeUpStages {
  const handedOn = [...calls].sort((a, b) => a.wakeUp.grantedAtMs - b.wakeUp.grantedAtMs).slice(lines);
  return {
    handOverMs: handedOn.map(({ wakeUp }, k) => wakeUp.grantedAtMs - (endedAtMs[k] ?? NaN)),
    pickUpMs: handedOn.map(({ wakeUp }) => wakeUp.startedAtMs - wakeUp.grantedAtMs),
    dialMs: handedOn.map(({ wakeUp, requestedAtMs }) => requestedAtMs - wakeUp.startedAtMs),
  };
}
