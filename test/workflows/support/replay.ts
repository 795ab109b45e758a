import type { HistoryAndWorkflowId } from '@temporalio/client';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { installSilentRuntime } from '../../../verify/histories/running';
import type { StoredHistory } from './stored-histories';

/** Replays histories. Returns for each name why its replay failed, or null if it succeeded. */
export async function replay(
  workflowBundle: WorkflowBundleOption,
  histories: Iterable<Pick<StoredHistory, 'name' | 'history'>>,
): Promise<Record<string, string | null>> {
  installSilentRuntime();
  const named = Array.from(histories, ({ name, history }): HistoryAndWorkflowId => ({
    workflowId: name,
    history,
  }));
  const faults: Record<string, string | null> = {};
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, named)) {
    faults[workflowId] = error === undefined ? null : error.name;
  }
  return faults;
}
