import { isGrpcServiceError, type WorkflowClient, type WorkflowHandle } from '@temporalio/client';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** Returns whether a run has completed a workflow task. */
export const hasDoneTask = (events: readonly { workflowTaskCompletedEventAttributes?: unknown }[]): boolean =>
  events.some((event) => event.workflowTaskCompletedEventAttributes);

/** The histories of a workflow that continued as new, the first run first. */
export async function fetchRuns(
  client: WorkflowClient,
  workflowId: string,
  runId?: string,
): Promise<History[]> {
  const history = await client.getHandle(workflowId, runId).fetchHistory();
  const before = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
  return [...(before === '' ? [] : await fetchRuns(client, workflowId, before)), history];
}

/** gRPC's code. `fetchHistory` passes it on unchanged, unlike other requests of the client. */
const NOT_FOUND = 5;

/** Returns null if Temporal does not have the workflow, yet or anymore. Reads the newest run by default. */
export async function fetchHistory(
  client: WorkflowClient,
  workflowId: string,
  runId?: string,
): Promise<History | null> {
  try {
    return await client.getHandle(workflowId, runId).fetchHistory();
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return null;
    throw error;
  }
}
