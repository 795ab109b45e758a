/** Runs workflows in the SDK's own runtime without its core: does in this process what a worker thread does with an activation. */
import { TypedSearchAttributes } from '@temporalio/common';
import type { coresdk } from '@temporalio/proto';
import { parseWorkflowCode } from '@temporalio/worker/lib/worker';
import type { Workflow } from '@temporalio/worker/lib/workflow/interface';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';
import Long from 'long';
import { TASK_QUEUE } from '../../../workflows/contract';
import { commandOf, marker, type ServerCommand } from './commands';
import { type HistoryEvent, type LocalResult, type Run, type Segment, segmentsOf } from './execution';

/** There is no time limit, because each call with a limit starts a watching thread, which took a third of a run's time. */
const NO_TIME_LIMIT = undefined as unknown as number;

type ActivationJob = coresdk.workflow_activation.IWorkflowActivationJob;

const protoTime = (ms: number) => ({
  seconds: Long.fromNumber(Math.floor(ms / 1_000)),
  nanos: Math.floor((ms % 1_000) * 1e6),
});

/** All workers and seeds share this, because the code keeps no state outside workflows. */
export class WorkflowCode {
  private constructor(private readonly creator: ReusableVMWorkflowCreator) {}

  static async load(bundle: string, activityNames: readonly string[]): Promise<WorkflowCode> {
    // The hook would record stack traces of all promises, which aren't needed here.
    globalHandlers.installed = true;
    const parsed = parseWorkflowCode(bundle);
    return new WorkflowCode(
      await ReusableVMWorkflowCreator.create(parsed, NO_TIME_LIMIT, new Set(activityNames)),
    );
  }

  create(run: Run): Promise<Workflow> {
    const { runId, workflowId, type, startedMs } = run;
    const now = Math.floor(startedMs);
    return this.creator.createWorkflow({
      info: {
        workflowId,
        runId,
        workflowType: type,
        searchAttributes: {},
        typedSearchAttributes: new TypedSearchAttributes(),
        taskQueue: TASK_QUEUE,
        namespace: 'default',
        firstExecutionRunId: runId,
        startTime: new Date(now),
        runStartTime: new Date(now),
        taskTimeoutMs: run.taskTimeoutMs,
        attempt: 1,
        historyLength: 3,
        historySize: 0,
        continueAsNewSuggested: false,
        unsafe: { now: () => now, isReplaying: false, isReplayingHistoryEvents: false, random: () => 0.5 },
      } as unknown as Parameters<ReusableVMWorkflowCreator['createWorkflow']>[0]['info'],
      randomnessSeed: seedBytes(runId),
      now,
      showStackTraceSources: false,
    });
  }
}

function seedBytes(runId: string): number[] {
  const bytes = [...Buffer.from(runId.padStart(16, '0'))].slice(-8);
  return bytes;
}

export type LocalActivity = coresdk.workflow_commands.IScheduleLocalActivity;

/** The workflow's commands differ from its history (TMPRL1100 in the SDK). */
export class DoesNotReplay extends Error {
  override name = 'DoesNotReplay';
}

/** The server suggests a continue-as-new when the history has this many events. */
export interface HistoryLimits {
  continueAfterEvents: number;
}

/** A workflow in the memory of one worker, with its activations and commands from replay or execution. */
export class Instance {
  /** Number of history events that the workflow has seen. */
  applied = 0;
  /** Commands of the current task, in order. */
  commands: ServerCommand[] = [];
  /** Local activities without a result. */
  readonly outstanding = new Map<number, LocalActivity>();
  /** Task that the commands belong to. */
  token = 0;
  startedMs = 0;
  /** The workflow got a task before it completed the previous one, so it lacks the previous one's result. */
  isBlind = false;
  /** Local activities that are already running. */
  readonly running = new Set<number>();
  /** The last response only requested another task. */
  hasHeartbeat = false;
  /** The workflow has a task that isn't completed yet. */
  isUnanswered = false;
  /** Results that wait for a workflow task. */
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

  /** Advances to the current task by replaying the completed ones. @throws DoesNotReplay */
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

  /** Applies the result of a local activity. */
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

/** Sorts jobs in the order that the SDK's core uses: start, signals, everything else. */
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
      throw new Error(`the simulation cannot activate a workflow with ${event.kind}`);
  }
}
