import type { HistoryAndWorkflowId } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { StoredHistory } from './stored-histories';

let installed = false;

/** Replays histories, and answers by name why one was refused; null where it was not. */
export async function replay(
  workflowBundle: WorkflowBundleOption,
  histories: Iterable<Pick<StoredHistory, 'name' | 'history'>>,
): Promise<Record<string, string | null>> {
  quiet();
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

/** What is refused is answered, so it need not be printed too. */
function quiet(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'error', forward: {} } },
  });
}
