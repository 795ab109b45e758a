import type { HistoryAndWorkflowId } from '@temporalio/client';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { OpenWorkflow } from './open-workflows';
import { installSilentRuntime } from './silent-runtime';

export interface Replayed {
  workflowId: string;
  type: string;
  /** First line of the replay error; null if the workflow replays. */
  fault: string | null;
}

/** Replays the workflows with the bundle, in order. Takes the next workflow from the iterable after each result. */
export async function* replayed(
  workflowBundle: WorkflowBundleOption,
  workflows: AsyncIterable<OpenWorkflow>,
): AsyncGenerator<Replayed> {
  installSilentRuntime();
  const types = new Map<string, string>();
  let isComplete = false;
  async function* histories(): AsyncGenerator<HistoryAndWorkflowId> {
    for await (const { workflowId, type, history } of workflows) {
      types.clear();
      types.set(workflowId, type);
      yield { workflowId, history };
    }
    isComplete = true;
  }
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories())) {
    yield {
      workflowId,
      type: types.get(workflowId) ?? '',
      fault: error === undefined ? null : firstLine(error),
    };
  }
  // If a replay is shut down, it ends without an error.
  if (!isComplete) throw new Error('the replay ended before all workflows were replayed');
}

/** Drops the text that the SDK adds to all such errors. */
function firstLine({ message }: Error): string {
  const [, details = message] = /Details: ([^]*)/.exec(message) ?? [];
  return details.trim().split('\n', 1)[0] ?? '';
}
