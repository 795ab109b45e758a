import { isGrpcServiceError, type WorkflowClient, type WorkflowHandle } from '@temporalio/client';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** Of each run of a workflow that continued as new, the first run first. */
export async function fetchRuns(
  client: WorkflowClient,
  workflowId: string,
  runId?: string,
): Promise<History[]> {
  const history = await client.getHandle(workflowId, runId).fetchHistory();
  const before = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
  return [...(before === '' ? [] : await fetchRuns(client, workflowId, before)), history];
}

/** gRPC's. `fetchHistory` hands it on as it came, unlike the client's other requests. */
const NOT_FOUND = 5;

/** Null where Temporal has no such workflow: not yet, or not any more. Of the newest run unless one is named. */
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
