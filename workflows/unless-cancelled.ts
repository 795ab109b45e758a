import { CancellationScope } from '@temporalio/workflow';

/**
 * Runs `work`, or fails once the workflow is cancelled. The first commands of `work` are always issued, because a replay may see the
 * cancellation earlier than the original run did ("Workflow code and signals" in docs/architecture.md).
 */
export function unlessCancelled<T>(work: () => Promise<T>): Promise<T> {
  return Promise.race([CancellationScope.nonCancellable(work), CancellationScope.current().cancelRequested]);
}
