/** Reads the histories of a campaign and its calls, and counts their billed actions. */
import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** An event as the server stores it. Exactly one of its attributes is set and determines its type. */
type HistoryEvent = NonNullable<History['events']>[number];

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
