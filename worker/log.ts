/** The worker's log. Each JSON line names its activity and workflow. */
import { asyncLocalStorage } from '@temporalio/activity';
import { DefaultLogger, type Logger as SdkLogger } from '@temporalio/worker';
import pino, { type DestinationStream, type Logger } from 'pino';
import { framesOf } from '../runtime/observability/frames';
import { WORKFLOW_TYPES } from '../workflows/contract';

/** Logs to standard output by default. */
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

/** A call's id is its workflow id. A campaign's id is part of its workflow id. */
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
 * Logs lines from the SDK and from workflows in the platform's format. Their fields can contain arguments, so only names and ids are kept.
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

/** Returns log fields for the error that ends the process. */
export const faultFields = (error: Error): { error: string; frames: string[] } => ({
  error: messageOf(error),
  frames: framesOf(error.stack),
});

/** Returns the message unless Postgres wrote it, because Postgres can quote values. */
function messageOf(error: Error): string {
  const isPostgres = 'severity' in error && 'code' in error;
  return isPostgres ? `${error.name} ${String(error.code)}` : error.message;
}
