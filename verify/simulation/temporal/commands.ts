/** Converts the SDK's workflow commands to the server's commands. */
import { coresdk, type google } from '@temporalio/proto';
import {
  AlreadyStarted,
  type ParentClosePolicy,
  type Payload,
  type PendingActivity,
  type RecordedCommand,
  type RetryPolicy,
  type Run,
  type ServerPort,
} from './execution';

type WorkflowCommand = coresdk.workflow_commands.IWorkflowCommand;

export interface ServerCommand {
  recorded: RecordedCommand;
  /** How the command ends the run. */
  closes?: 'completed' | 'failed' | 'cancelled' | 'continued';
  command: WorkflowCommand | null;
}

export function durationMs(duration: google.protobuf.IDuration | null | undefined): number {
  if (duration === null || duration === undefined) return Infinity;
  return Number(duration.seconds ?? 0) * 1_000 + (duration.nanos ?? 0) / 1e6;
}

export const marker = (recorded: RecordedCommand): ServerCommand => ({ recorded, command: null });

/** @throws Error for a command that isn't simulated, so that no run passes because a feature is missing */
export function commandOf(command: WorkflowCommand): ServerCommand {
  const named = (key: string, closes?: ServerCommand['closes']): ServerCommand => ({
    recorded: { key },
    command,
    ...(closes === undefined ? {} : { closes }),
  });
  if (command.startTimer) return named(`timer ${command.startTimer.seq}`);
  if (command.cancelTimer) return named(`cancel timer ${command.cancelTimer.seq}`);
  if (command.scheduleActivity) {
    return named(`activity ${command.scheduleActivity.seq} ${command.scheduleActivity.activityType}`);
  }
  if (command.startChildWorkflowExecution) {
    const { workflowType, workflowId } = command.startChildWorkflowExecution;
    return named(`child ${workflowType} ${workflowId}`);
  }
  if (command.upsertWorkflowSearchAttributes) return named('search attributes');
  if (command.modifyWorkflowProperties) return named('properties');
  if (command.completeWorkflowExecution) return named('complete', 'completed');
  if (command.failWorkflowExecution) return named('fail', 'failed');
  if (command.cancelWorkflowExecution) return named('cancel', 'cancelled');
  if (command.continueAsNewWorkflowExecution) return named('continue as new', 'continued');
  throw new Error(`the simulation lacks the command ${Object.keys(command).join(', ')}`);
}

export function applyCommand(server: ServerPort, run: Run, { command, closes }: ServerCommand): void {
  if (command === null || run.status !== 'running') return;
  if (command.failWorkflowExecution) {
    const { message, cause } = command.failWorkflowExecution.failure ?? {};
    server.onFailedRun(run, [message, cause?.message].filter(Boolean).join(': '));
  }
  if (closes !== undefined) {
    server.close(run, closes);
    if (command.continueAsNewWorkflowExecution) {
      server.start({
        workflowId: run.workflowId,
        type: run.type,
        input: command.continueAsNewWorkflowExecution.arguments ?? [],
        taskTimeoutMs: run.taskTimeoutMs,
      });
    }
  } else if (command.startTimer) startTimer(server, run, command.startTimer);
  else if (command.cancelTimer) run.timers.get(command.cancelTimer.seq ?? 0)?.();
  else if (command.scheduleActivity) scheduleActivity(server, run, command.scheduleActivity);
  else if (command.startChildWorkflowExecution) startChild(server, run, command.startChildWorkflowExecution);
}

function startTimer(server: ServerPort, run: Run, timer: coresdk.workflow_commands.IStartTimer): void {
  const seq = timer.seq ?? 0;
  const cancel = server.world.scheduler.after(durationMs(timer.startToFireTimeout), server.process, () => {
    run.timers.delete(seq);
    server.happened(run, { kind: 'timerFired', atMs: server.world.nowMs, seq });
  });
  run.timers.set(seq, cancel);
}

export function retryPolicyOf(
  policy: coresdk.workflow_commands.IScheduleActivity['retryPolicy'],
): RetryPolicy {
  const initialMs = policy?.initialInterval ? durationMs(policy.initialInterval) : 1_000;
  return {
    initialMs,
    coefficient: policy?.backoffCoefficient || 2,
    maximumMs: policy?.maximumInterval ? durationMs(policy.maximumInterval) : initialMs * 100,
    attempts: policy?.maximumAttempts || Infinity,
    nonRetryable: policy?.nonRetryableErrorTypes ?? [],
  };
}

function scheduleActivity(
  server: ServerPort,
  run: Run,
  scheduled: coresdk.workflow_commands.IScheduleActivity,
): void {
  const activity: PendingActivity = {
    seq: scheduled.seq ?? 0,
    id: scheduled.activityId ?? '',
    type: scheduled.activityType ?? '',
    input: scheduled.arguments ?? [],
    attempt: 1,
    token: 0,
    startToCloseMs: durationMs(scheduled.startToCloseTimeout),
    heartbeatMs: durationMs(scheduled.heartbeatTimeout),
    closesAtMs: server.world.nowMs + durationMs(scheduled.scheduleToCloseTimeout),
    retry: retryPolicyOf(scheduled.retryPolicy),
    isStarted: false,
    cancelTimeout: null,
    cancelHeartbeat: null,
  };
  server.activities.schedule(run, activity);
}

/** By default, the server terminates children. */
function closePolicyOf(
  policy: coresdk.workflow_commands.IStartChildWorkflowExecution['parentClosePolicy'],
): ParentClosePolicy {
  switch (policy) {
    case coresdk.child_workflow.ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON:
      return 'abandon';
    case coresdk.child_workflow.ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL:
      return 'cancel';
    default:
      return 'terminate';
  }
}

/** A child starts a little later, because the server starts it through a queue. */
function startChild(
  server: ServerPort,
  run: Run,
  child: coresdk.workflow_commands.IStartChildWorkflowExecution,
): void {
  const seq = child.seq ?? 0;
  const workflowId = child.workflowId ?? '';
  const type = child.workflowType ?? '';
  const input: Payload[] = child.input ?? [];
  server.world.scheduler.after(server.world.latencyMs(), server.process, () => {
    const { nowMs: atMs } = server.world;
    try {
      const taskTimeoutMs = child.workflowTaskTimeout ? durationMs(child.workflowTaskTimeout) : 0;
      const parent = { run, seq, closePolicy: closePolicyOf(child.parentClosePolicy) };
      const { runId } = server.start({ workflowId, type, input, taskTimeoutMs, parent });
      server.happened(run, { kind: 'childStarted', atMs, seq, runId });
    } catch (error) {
      if (!(error instanceof AlreadyStarted)) throw error;
      server.happened(run, { kind: 'childRefused', atMs, seq, workflowId, type });
    }
  });
}
