/**
 * The instant at which an activity looks at windows: the workflow's, or the platform's where that is later, as a retry after an outage must
 * not dial on the strength of a clock reading from before it. Under time skipping the workflow's runs ahead.
 */
export function workflowTimeNow(workflowNow: number, clock: () => number): number {
  return Math.max(workflowNow, clock());
}
