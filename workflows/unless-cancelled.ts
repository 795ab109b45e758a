import { CancellationScope } from '@temporalio/workflow';

/**
 * Does the work, or fails once the workflow is cancelled. Its first commands are given in either case: a replay may know of a cancellation
 * before the run did, and finds in the history what the run asked for ("Workflow code and signals" in docs/architecture.md).
 */
export function unlessCancelled<T>(work: () => Promise<T>): Promise<T> {
  return Promise.race([CancellationScope.nonCancellable(work), CancellationScope.current().cancelRequested]);
}
