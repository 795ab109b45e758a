import { activityInfo } from '@temporalio/activity';

/**
 * The workflow's instant, moved on by the time that this activity has waited since: a retry after an outage must not dial on the
 * strength of a clock reading from before it.
 */
export function workflowTimeNow(workflowNow: number): number {
  const waitedMs = Date.now() - activityInfo().scheduledTimestampMs;
  return workflowNow + Math.max(0, waitedMs);
}
