/** Reads the histories of a campaign and its calls from Temporal after they end. */
import type { WorkflowClient } from '@temporalio/client';
import { actionsOf, type Actions } from './actions';
import type { HistoryEvent } from './history-event';

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
