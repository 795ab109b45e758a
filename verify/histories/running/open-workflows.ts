/** The open workflows that a deploy meets. */
import { TASK_QUEUE } from '../../../workflows/contract';
import { fetchHistory, type History } from '../fetch-history';
import type { OpenTemporal } from './open-temporal';

export interface OpenWorkflow {
  workflowId: string;
  type: string;
  history: History;
}

/** Selects by task queue because only our workers poll it. A workflow type that the build lacks breaks, too. */
const QUERY = `TaskQueue = '${TASK_QUEUE}' AND ExecutionStatus = 'Running'`;

/** The count that Visibility has at this moment. */
export async function countOpen({ client, asked }: OpenTemporal): Promise<number> {
  return (await asked(() => client.workflow.count(QUERY))).count;
}

/** Fetches each history only when the previous one was handled, so that memory holds one at a time. */
export async function* openWorkflows({ client, asked }: OpenTemporal): AsyncGenerator<OpenWorkflow> {
  const listed = client.workflow.list({ query: QUERY })[Symbol.asyncIterator]();
  for (;;) {
    const next = await asked(() => listed.next());
    if (next.done === true) return;
    const { workflowId, runId, type } = next.value;
    const history = await asked(() => fetchHistory(client.workflow, workflowId, runId));
    // Null: the workflow ended and was deleted after it was listed.
    if (history !== null && hasBegun(history)) yield { workflowId, type, history };
  }
}

/**
 * A run that follows another can wait up to a second for its first task. It has nothing to replay, and the SDK would wait forever for a
 * task.
 */
export const hasBegun = ({ events }: History): boolean =>
  events?.some((event) => event.workflowTaskScheduledEventAttributes) === true;
