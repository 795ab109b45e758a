/** The workflows that a deploy meets. */
import { TASK_QUEUE } from '../../../workflows/contract';
import { fetchHistory, type History } from '../fetch-history';
import type { OpenTemporal } from './open-temporal';

export interface OpenWorkflow {
  workflowId: string;
  type: string;
  history: History;
}

/** Of whatever type: one that the build does not have breaks too. Only our workers poll this queue. */
const QUERY = `TaskQueue = '${TASK_QUEUE}' AND ExecutionStatus = 'Running'`;

/** As many as Visibility knows of at this moment. */
export async function countOpen({ client, asked }: OpenTemporal): Promise<number> {
  return (await asked(() => client.workflow.count(QUERY))).count;
}

/** One after the other: the next history is fetched once this one was dealt with, so that one is held however many there are. */
export async function* openWorkflows({ client, asked }: OpenTemporal): AsyncGenerator<OpenWorkflow> {
  const listed = client.workflow.list({ query: QUERY })[Symbol.asyncIterator]();
  for (;;) {
    const next = await asked(() => listed.next());
    if (next.done === true) return;
    const { workflowId, runId, type } = next.value;
    const history = await asked(() => fetchHistory(client.workflow, workflowId, runId));
    // Null: it has ended and was deleted since it was listed.
    if (history !== null && hasBegun(history)) yield { workflowId, type, history };
  }
}

/**
 * A run that follows another may wait for its first task for up to a second. It has nothing to replay, and the SDK waits for a task of it for
 * ever.
 */
export const hasBegun = ({ events }: History): boolean =>
  events?.some((event) => event.workflowTaskScheduledEventAttributes) === true;
