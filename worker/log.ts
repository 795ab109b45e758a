/** The worker's log: JSON lines, each with the activity and the workflow that it was written for. */
import { asyncLocalStorage } from '@temporalio/activity';
import { DefaultLogger, type Logger as SdkLogger } from '@temporalio/worker';
import pino, { type DestinationStream, type Logger } from 'pino';
import { framesOf } from '../runtime/observability/frames';
import { WORKFLOW_TYPES } from '../workflows/contract';

/** Standard output unless a destination is given. */
export function workerLog({ level }: { level: string }, destination?: DestinationStream): Logger {
  const options = { level, base: { process: 'worker' }, mixin: activityInHand };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function activityInHand(): Record<string, unknown> {
  const info = asyncLocalStorage.getStore()?.info;
  if (info === undefined) return {};
  const { activityType: activity, attempt, workflowExecution, workflowType } = info;
  const workflowId = workflowExecution?.workflowId;
  return { activity, attempt, ...workflowFields(workflowId, workflowType) };
}

const CAMPAIGN = /^campaign-(.+)$/;

/** A call's id is its workflow's; a campaign's is in it. */
function workflowFields(workflowId: unknown, workflowType: unknown): Record<string, string> {
  if (typeof workflowId !== 'string') return {};
  const [, campaignId] = CAMPAIGN.exec(workflowId) ?? [];
  return {
    workflow_id: workflowId,
    ...(workflowType === WORKFLOW_TYPES.call ? { call_id: workflowId } : {}),
    ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
  };
}

/**
 * The SDK's own lines, and those of workflows, in our format. What they carry may hold arguments, so only names and ids are kept.
 */
export function sdkLog(log: Logger): SdkLogger {
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { workflowId, workflowType, runId, activityType, attempt, error }: Record<string, unknown> =
      meta ?? {};
    const fields = {
      ...workflowFields(workflowId, workflowType),
      run_id: runId,
      activity: activityType,
      attempt,
      error: error instanceof Error ? messageOf(error) : undefined,
    };
    if (level === 'ERROR') log.error(fields, message);
    else log.warn(fields, message);
  });
}

/** What the log shows of the error that ends the process. */
export const faultFields = (error: Error): { error: string; frames: string[] } => ({
  error: messageOf(error),
  frames: framesOf(error.stack),
});

/** A message of Postgres may quote the value that it is about. */
function messageOf(error: Error): string {
  const isPostgres = 'severity' in error && 'code' in error;
  return isPostgres ? `${error.name} ${String(error.code)}` : error.message;
}
