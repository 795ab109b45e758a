/** Provides the information that an activity can read about itself. */
import { Context, type Info } from '@temporalio/activity';
import { TASK_QUEUE } from '../../../workflows/contract';

interface About {
  id: string;
  type: string;
  attempt: number;
  isLocal: boolean;
  nowMs: number;
  startToCloseMs: number;
}

export function infoOf(about: About, run: { workflowId: string; runId: string; type: string }): Info {
  return {
    taskToken: new Uint8Array(),
    base64TaskToken: '',
    activityId: about.id,
    activityType: about.type,
    activityNamespace: 'default',
    attempt: about.attempt,
    isLocal: about.isLocal,
    workflowExecution: { workflowId: run.workflowId, runId: run.runId },
    workflowNamespace: 'default',
    workflowType: run.type,
    scheduledTimestampMs: about.nowMs,
    scheduleToCloseTimeoutMs: 0,
    startToCloseTimeoutMs: about.startToCloseMs,
    currentAttemptScheduledTimestampMs: about.nowMs,
    heartbeatDetails: undefined,
    taskQueue: TASK_QUEUE,
    namespace: 'default',
    inWorkflow: true,
  };
}

export function contextOf(info: Info, heartbeat: () => void): Context {
  const silent = {
    log: () => undefined,
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  const never = new Promise<never>(() => undefined);
  const signal = new AbortController().signal;
  return new (Context as unknown as new (...parts: unknown[]) => Context)(
    info,
    never,
    signal,
    heartbeat,
    undefined,
    silent,
    undefined,
    {},
  );
}
