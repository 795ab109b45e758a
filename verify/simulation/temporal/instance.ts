/** A workflow in the memory of one worker: what it was activated with and what it has asked for, by replay or by running on. */
import type { coresdk } from '@temporalio/proto';
import type { Workflow } from '@temporalio/worker/lib/workflow/interface';
import Long from 'long';
import { commandOf, marker, type ServerCommand } from './commands';
import type { Run } from './execution';
import { segmentsOf, type HistoryEvent, type LocalResult, type Segment } from './history';
import { protoTime, type ActivationJob, type WorkflowCode } from './workflow-code';

export type LocalActivity = coresdk.workflow_commands.IScheduleLocalActivity;

/** The code asks for something else than the history holds: TMPRL1100 of the SDK. */
export class DoesNotReplay extends Error {
  override name = 'DoesNotReplay';
}

/** Once a history has so many events, the server suggests a new run. */
export interface HistoryLimits {
  continueAfterEvents: number;
}

export class Instance {
  /** So far its history is known to it. */
  applied = 0;
  /** Of the task that is under way, in the order asked for. */
  commands: ServerCommand[] = [];
  /** Local activities that have no result yet. */
  readonly outstanding = new Map<number, LocalActivity>();
  /** The task that its commands belong to. */
  token = 0;
  startedMs = 0;
  /** It was given a task before it had answered the last, and does not know what that brought. */
  isBlind = false;
  /** Local activities that run already. */
  readonly running = new Set<number>();
  /** Its last answer asked for another task only. */
  hasHeartbeat = false;
  /** A task was taken and is not answered. */
  isUnanswered = false;
  /** Results that wait for a task. */
  readonly held: (() => void)[] = [];
  isEvicted = false;

  private constructor(
    readonly run: Run,
    private readonly workflow: Workflow,
    private readonly limits: HistoryLimits,
  ) {}

  static async create(code: WorkflowCode, run: Run, limits: HistoryLimits): Promise<Instance> {
    return new Instance(run, await code.create(run), limits);
  }

  async dispose(): Promise<void> {
    this.isEvicted = true;
    await this.workflow.dispose();
  }

  /**
   * Brings it to the task that is under way, replaying what was answered before.
   * @throws DoesNotReplay
   */
  async catchUp(): Promise<void> {
    for (const segment of segmentsOf(this.run.events, this.applied)) {
      this.commands = [];
      this.startedMs = segment.startedMs;
      if (segment.incoming.length > 0) {
        await this.activate(
          segment.incoming.map((event) => jobOf(this.run, event)),
          segment.startedMs,
          segment,
        );
      }
      if (segment.commands !== null) await this.replayed(segment, segment.commands);
      this.applied = segment.endsAt;
    }
  }

  /** A local activity has its result. */
  async resolve(
    seq: number,
    result: LocalResult,
    atMs: number,
    segment: Segment | null = null,
  ): Promise<void> {
    const activity = this.outstanding.get(seq);
    if (activity === undefined)
      throw new DoesNotReplay(`the history has a local activity ${seq} that was not asked for`);
    this.outstanding.delete(seq);
    const key = `local activity ${seq} ${activity.activityType}`;
    this.commands.push(marker({ key, marker: { seq, result, atMs } }));
    const resolution =
      'failed' in result
        ? { failed: { failure: result.failed } }
        : { completed: { result: result.completed } };
    await this.activate([{ resolveActivity: { seq, isLocal: true, result: resolution } }], atMs, segment);
  }

  private async replayed(segment: Segment, recorded: NonNullable<Segment['commands']>): Promise<void> {
    for (const { marker: found } of recorded) {
      if (found !== undefined) await this.resolve(found.seq, found.result, found.atMs, segment);
    }
    const asked = this.commands.map((command) => command.recorded.key);
    const kept = recorded.map(({ key }) => key);
    const index = kept.findIndex((key, at) => key !== asked[at]);
    if (index < 0 && asked.length === kept.length) return;
    const at = index < 0 ? kept.length : index;
    throw new DoesNotReplay(
      `[TMPRL1100] the history has "${kept[at] ?? 'nothing'}", and the workflow asks for "${asked[at] ?? 'nothing'}"`,
    );
  }

  private async activate(jobs: ActivationJob[], atMs: number, segment: Segment | null): Promise<void> {
    const length = segment?.endsAt ?? this.run.events.length;
    const completion = await this.workflow.activate({
      runId: this.run.runId,
      timestamp: protoTime(atMs),
      isReplaying: segment?.commands != null,
      historyLength: length,
      historySizeBytes: Long.fromNumber(length * 200),
      continueAsNewSuggested: length >= this.limits.continueAfterEvents,
      jobs: inOrder(jobs),
      availableInternalFlags: [1, 2],
    });
    if (completion.failed != null) {
      throw new Error(completion.failed.failure?.message ?? 'a workflow task failed');
    }
    for (const command of completion.successful?.commands ?? []) {
      const { scheduleLocalActivity: local } = command;
      if (local) this.outstanding.set(local.seq ?? 0, local);
      else this.commands.push(commandOf(command));
    }
  }
}

/** As the SDK's core orders them: the start, signals, all else. */
function inOrder(jobs: readonly ActivationJob[]): ActivationJob[] {
  const rank = (job: ActivationJob): number => (job.initializeWorkflow ? 0 : job.signalWorkflow ? 1 : 2);
  return [...jobs].sort((one, other) => rank(one) - rank(other));
}

function jobOf(run: Run, event: HistoryEvent): ActivationJob {
  switch (event.kind) {
    case 'started':
      return {
        initializeWorkflow: {
          workflowType: run.type,
          workflowId: run.workflowId,
          arguments: run.input,
          randomnessSeed: Long.fromNumber(1),
          headers: {},
          attempt: 1,
          firstExecutionRunId: run.runId,
          startTime: protoTime(run.startedMs),
        },
      };
    case 'signaled':
      return { signalWorkflow: { signalName: event.name, input: event.input, headers: {} } };
    case 'cancelRequested':
      return { cancelWorkflow: { reason: '' } };
    case 'timerFired':
      return { fireTimer: { seq: event.seq } };
    case 'activityCompleted':
      return { resolveActivity: { seq: event.seq, result: { completed: { result: event.result } } } };
    case 'activityFailed': {
      const activityFailureInfo = { activityId: String(event.seq), activityType: { name: event.type } };
      const failure = { message: 'Activity task failed', activityFailureInfo, cause: event.failure };
      return { resolveActivity: { seq: event.seq, result: { failed: { failure } } } };
    }
    case 'childStarted':
      return { resolveChildWorkflowExecutionStart: { seq: event.seq, succeeded: { runId: event.runId } } };
    case 'childRefused': {
      const { workflowId, type: workflowType } = event;
      return {
        resolveChildWorkflowExecutionStart: {
          seq: event.seq,
          failed: { workflowId, workflowType, cause: 1 },
        },
      };
    }
    case 'childClosed':
      return { resolveChildWorkflowExecution: { seq: event.seq, result: { completed: {} } } };
    default:
      throw new Error(`no workflow is activated with ${event.kind}`);
  }
}
