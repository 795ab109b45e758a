/**
 * Returns the current time for an activity's decisions: the later of the workflow's clock and the platform's clock. A retry after an outage
 * must not use the time before it, and in tests with time skipping the workflow's clock runs ahead.
 */
export function workflowTimeNow(workflowNow: number, clock: () => number): number {
  return Math.max(workflowNow, clock());
}
