/** Runs regular activities: any worker can get them, and they are retried after a failure or timeout as their policy defines. */
import { Context, type Info } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { TASK_QUEUE } from '../../../workflows/contract';
import type { ActivityOutcome, Failure, PendingActivity, Run, ServerPort } from './execution';

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

export class ActivityTasks {
  constructor(private readonly server: ServerPort) {}

  schedule(run: Run, activity: PendingActivity): void {
    run.activities.set(activity.seq, activity);
    this.offer(run, activity, 0);
  }

  forget(run: Run): void {
    for (const activity of run.activities.values()) stopTimers(activity);
    run.activities.clear();
  }

  heartbeat(run: Run, activity: PendingActivity, token: number): void {
    if (!this.isCurrent(run, activity, token)) return;
    activity.cancelHeartbeat?.();
    activity.cancelHeartbeat = this.limit(run, activity, activity.heartbeatMs);
  }

  finished(run: Run, activity: PendingActivity, token: number, outcome: ActivityOutcome): void {
    if (!this.isCurrent(run, activity, token)) return;
    stopTimers(activity);
    if ('completed' in outcome) {
      run.activities.delete(activity.seq);
      const atMs = this.server.world.nowMs;
      this.server.happened(run, {
        kind: 'activityCompleted',
        atMs,
        seq: activity.seq,
        result: outcome.completed,
      });
      return;
    }
    const { retry } = activity;
    const mayRetry = outcome.isRetryable && !retry.nonRetryable.includes(outcome.type);
    this.again(run, activity, outcome.failed, mayRetry ? outcome.nextRetryMs : -1);
  }

  /** `delayMs` is the delay that the activity requests. Null uses the policy's delay, and a negative value prevents a retry. */
  private again(run: Run, activity: PendingActivity, failure: Failure, delayMs: number | null): void {
    const { retry, attempt, closesAtMs } = activity;
    const { world } = this.server;
    const backoffMs =
      delayMs ?? Math.min(retry.initialMs * retry.coefficient ** (attempt - 1), retry.maximumMs);
    const isSpent = attempt >= retry.attempts || world.nowMs + backoffMs >= closesAtMs;
    if (backoffMs < 0 || isSpent) {
      run.activities.delete(activity.seq);
      this.server.happened(run, {
        kind: 'activityFailed',
        atMs: world.nowMs,
        seq: activity.seq,
        type: activity.type,
        failure,
      });
      return;
    }
    activity.attempt += 1;
    activity.isStarted = false;
    this.offer(run, activity, backoffMs);
  }

  private offer(run: Run, activity: PendingActivity, delayMs: number): void {
    const { world } = this.server;
    const token = this.server.nextId();
    activity.token = token;
    const give = (): void => {
      if (!this.isCurrent(run, activity, token) || activity.isStarted) return;
      const poller = this.server.choose(null, { kind: 'activity' });
      if (poller === undefined) return this.server.whenAnyPolls(give);
      activity.isStarted = true;
      poller.holdSlotFor({ kind: 'activity' });
      activity.cancelTimeout = this.limit(run, activity, activity.startToCloseMs);
      if (activity.heartbeatMs < Infinity)
        activity.cancelHeartbeat = this.limit(run, activity, activity.heartbeatMs);
      world.scheduler.after(world.latencyMs(), poller.process, () =>
        poller.takeActivity({ run, activity, token }),
      );
    };
    world.scheduler.after(delayMs + world.latencyMs(), this.server.process, give);
  }

  private limit(run: Run, activity: PendingActivity, ms: number): () => void {
    const { token } = activity;
    return this.server.world.scheduler.after(ms, this.server.process, () => {
      if (!this.isCurrent(run, activity, token)) return;
      stopTimers(activity);
      this.again(run, activity, TIMED_OUT, null);
    });
  }

  private isCurrent(run: Run, activity: PendingActivity, token: number): boolean {
    return (
      run.status === 'running' && run.activities.get(activity.seq) === activity && activity.token === token
    );
  }
}

function stopTimers(activity: PendingActivity): void {
  activity.cancelTimeout?.();
  activity.cancelHeartbeat?.();
}

const TIMED_OUT: Failure = {
  message: 'activity timed out',
  applicationFailureInfo: {
    type: 'TimedOut',
    nonRetryable: false,
    category: ApplicationFailureCategory.BENIGN as unknown as temporal.api.enums.v1.ApplicationErrorCategory,
  },
};
