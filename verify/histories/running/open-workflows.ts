/** Finds the workflows that are open when a new version is deployed. */
import { TASK_QUEUE } from '../../../workflows/contract';
import { fetchHistory, type History } from '../fetch-history';
import type { OpenTemporal } from './open-temporal';

export interface OpenWorkflow {
  workflowId: string;
  type: string;
  history: History;
}

/** Selects by task queue because only our workers poll it. This also finds workflows of a type that the build lacks. */
const QUERY = `TaskQueue = '${TASK_QUEUE}' AND ExecutionStatus = 'Running'`;

/** Returns Temporal Visibility's current count. */
export async function countOpen({ client, asked }: OpenTemporal): Promise<number> {
  return (await asked(() => client.workflow.count(QUERY))).count;
}

/** Fetches each history only after the previous one was handled, so that memory holds only one. */
export async function* openWorkflows({ client, asked }: OpenTemporal): AsyncGenerator<OpenWorkflow> {
  const listed = client.workflow.list({ query: QUERY })[Symbol.asyncIterator]();
  for (;;) {
    const next = await asked(() => listed.next());
    if (next.done === true) return;
    const { workflowId, runId, type } = next.value;
    const history = await asked(() => fetchHistory(client.workflow, workflowId, runId));
    // If null, the workflow has ended and was deleted since it was listed.
    if (history !== null && hasBegun(history)) yield { workflowId, type, history };
  }
}

/**
 * Returns false for a run that waits for its first workflow task, which takes up to a second after a continue-as-new. It has nothing to
 * replay, and the SDK would wait forever.
 */
export const hasBegun = ({ events }: History): boolean =>
  events?.some((event) => event.workflowTaskScheduledEventAttributes) === true;
