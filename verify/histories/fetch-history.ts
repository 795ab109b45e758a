import { isGrpcServiceError, type WorkflowClient, type WorkflowHandle } from '@temporalio/client';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** Returns true if the run has completed a workflow task. */
export const hasDoneTask = (events: readonly { workflowTaskCompletedEventAttributes?: unknown }[]): boolean =>
  events.some((event) => event.workflowTaskCompletedEventAttributes);

/** Returns the histories of a workflow that continued as new, oldest run first. */
export async function fetchRuns(
  client: WorkflowClient,
  workflowId: string,
  runId?: string,
): Promise<History[]> {
  const history = await client.getHandle(workflowId, runId).fetchHistory();
  const before = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
  return [...(before === '' ? [] : await fetchRuns(client, workflowId, before)), history];
}

/** gRPC's status code. Unlike the client's other requests, `fetchHistory` doesn't convert such errors. */
const NOT_FOUND = 5;

/** Returns null if Temporal doesn't have the workflow yet or no longer has it. Reads the newest run by default. */
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
