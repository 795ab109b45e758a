/** A Temporal worker that takes tasks, caches workflows and runs activities, as part of its process. */
import { asyncLocalStorage, type Info } from '@temporalio/activity';
import { ServiceError } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter, ensureApplicationFailure } from '@temporalio/common';
import { CarrierUnreachable } from '../../../activities/telephony/port';
import { isDatabaseUnreachable } from '../../../db/kernel/database-unreachable';
import type { WorkerSlots } from '../../../worker/slots';
import { currentOwner } from '../time/scheduler';
import type { SimulatedProcess, World } from '../world';
import { contextOf, infoOf } from './activity-tasks';
import { durationMs, retryPolicyOf } from './commands';
import type {
  ActivityOffer,
  ActivityOutcome,
  LocalResult,
  Payload,
  Poller,
  RetryPolicy,
  SlotFor,
  WorkflowTaskOffer,
} from './execution';
import {
  DoesNotReplay,
  type HistoryLimits,
  Instance,
  type LocalActivity,
  type WorkflowCode,
} from './instance';
import type { TemporalServer } from './server';

export type ActivityFunctions = Record<string, (...args: never[]) => Promise<unknown>>;

/** After this share of the task's timeout, the worker requests another task, so that a local activity can continue. */
const HEARTBEAT_PART = 0.8;

/** Longest delay after the server is back. */
const ANSWERED_AGAIN_MS = 1_000;

interface WorkerParts {
  world: World;
  server: TemporalServer;
  process: SimulatedProcess;
  code: WorkflowCode;
  activities: ActivityFunctions;
  limits: HistoryLimits;
  slots: Pick<WorkerSlots, 'workflowTasks' | 'activities'>;
  /** Called when a workflow doesn't replay or its code fails the task. */
  onTaskFailure: (workflowId: string, error: Error) => void;
  /** Called when an activity fails and no injected fault explains it. */
  onFault: (where: string, error: unknown) => void;
}

export class SimulatedWorker implements Poller {
  private readonly cache = new Map<string, Instance>();
  /** Executes the tasks of one run one after another. */
  private readonly queues = new Map<string, Promise<void>>();
  /** Runs with a task in progress. Each occupies a slot, also during local activities and heartbeats. */
  private readonly tasks = new Set<string>();
  private activitiesUnderWay = 0;

  constructor(private readonly parts: WorkerParts) {}

  get process(): SimulatedProcess {
    return this.parts.process;
  }

  hasSlotFor(task: SlotFor): boolean {
    const { workflowTasks, activities } = this.parts.slots;
    if (task.kind === 'activity') return this.activitiesUnderWay < activities;
    return this.tasks.has(task.runId) || this.tasks.size < workflowTasks;
  }

  holdSlotFor(task: SlotFor): void {
    if (task.kind === 'activity') this.activitiesUnderWay += 1;
    else this.tasks.add(task.runId);
  }

  private freeTask(runId: string): void {
    if (this.tasks.delete(runId)) this.parts.server.slotFreed();
  }

  takeWorkflowTask(offer: WorkflowTaskOffer): void {
    this.inTurn(offer.run.runId, () => this.handleTask(offer));
  }

  takeActivity({ run, activity, token }: ActivityOffer): void {
    const { server, world } = this.parts;
    const heartbeat = (): void => server.activities.heartbeat(run, activity, token);
    const { id, type, input, attempt, startToCloseMs } = activity;
    const info = infoOf({ id, type, attempt, isLocal: false, nowMs: world.nowMs, startToCloseMs }, run);
    void this.execute(info, input, heartbeat).then(async (outcome) => {
      this.activitiesUnderWay -= 1;
      server.slotFreed();
      await world.hop(this.process);
      const finish = (): void => server.activities.finished(run, activity, token, outcome);
      if (server.backInMs > 0) this.onceBack(finish);
      else if ((world.faultOf(this.process.name, 'tasks')?.how ?? 'lost') === 'lost') finish();
    });
  }

  /** Clears the worker's cache. */
  async died(): Promise<void> {
    const instances = [...this.cache.values()];
    this.cache.clear();
    for (const instance of instances) await instance.dispose();
  }

  private inTurn(runId: string, work: () => Promise<void>): void {
    const { process, world } = this.parts;
    const turn = (this.queues.get(runId) ?? Promise.resolve()).then(() =>
      // The scheduler waits for this work, so in virtual time it takes no time.
      world.scheduler.work(() => (process.isAlive ? work() : Promise.resolve())),
    );
    this.queues.set(
      runId,
      turn.catch((error: unknown) => world.scheduler.fail(error)),
    );
  }

  private async handleTask({ run, token }: WorkflowTaskOffer): Promise<void> {
    const { world, limits, code } = this.parts;
    let instance = this.cache.get(run.runId);
    if (run.status !== 'running' || run.task?.token !== token) {
      if (instance?.isUnanswered !== true) this.freeTask(run.runId);
      return;
    }
    if (instance !== undefined && runsLocalActivities(instance) && !hasMissedTask(instance)) {
      // The SDK logs "Trying to send a new WFT for a run which already has one" and continues the activities. If another worker has
      // completed a task in the meantime, this worker finds that its history is outdated and replays.
      instance.token = token;
      instance.isBlind = true;
      world.trace.note(this.process.name, `${run.workflowId}: given its task again while it runs`);
      return;
    }
    if (instance !== undefined && (instance.isUnanswered || !continues(instance))) {
      await this.forget(instance);
      instance = undefined;
    }
    instance ??= await Instance.create(code, run, limits);
    this.cache.set(run.runId, instance);
    instance.token = token;
    instance.isUnanswered = true;
    instance.hasHeartbeat = false;
    try {
      await instance.catchUp();
      this.proceed(instance);
      for (const resolve of instance.held.splice(0)) resolve();
    } catch (error) {
      await this.taskFailed(instance, token, error);
    }
  }

  /** Runs requested local activities, or completes the task. */
  private proceed(instance: Instance): void {
    const { world } = this.parts;
    if (instance.outstanding.size === 0) {
      world.scheduler.after(world.latencyMs(), this.process, () => this.answer(instance, false));
      return;
    }
    for (const activity of instance.outstanding.values()) this.runLocal(instance, activity);
    this.heartbeatLater(instance);
  }

  private heartbeatLater(instance: Instance): void {
    const { world } = this.parts;
    const { token } = instance;
    world.scheduler.after(instance.run.taskTimeoutMs * HEARTBEAT_PART, this.process, () => {
      if (instance.isEvicted || instance.token !== token || instance.outstanding.size === 0) return;
      this.answer(instance, true);
    });
  }

  private answer(instance: Instance, isHeartbeat: boolean): void {
    const { server, world } = this.parts;
    const { run, token } = instance;
    if (instance.isEvicted) return;
    if (server.backInMs > 0) {
      this.onceBack(() => this.answer(instance, isHeartbeat));
      return;
    }
    const fault = world.faultOf(this.process.name, 'tasks');
    if (fault !== undefined)
      world.trace.note(this.process.name, `${run.workflowId}: its answer is ${fault.how}`);
    if (fault !== undefined && fault.how !== 'lost') {
      // The response never arrives, so the server offers the task again after its timeout.
      this.inTurn(run.runId, () => this.evict(instance));
      return;
    }
    const { commands } = instance;
    instance.commands = [];
    instance.isUnanswered = false;
    if (!isHeartbeat) this.freeTask(run.runId);
    world.trace.step(`${run.workflowId}: ${commands.map(({ recorded }) => recorded.key).join(', ')}`);
    const length = server.completeTask(run, token, commands, isHeartbeat);
    // If the worker doesn't learn that its completion was accepted, it drops the run, so the next task is a replay.
    if (length === null || fault !== undefined || instance.isBlind || run.status !== 'running') {
      this.inTurn(run.runId, () => this.evict(instance));
      return;
    }
    instance.applied = length;
    instance.hasHeartbeat = isHeartbeat;
  }

  /** Retries a completion while the server is unreachable, as the SDK does. */
  private onceBack(work: () => void): void {
    const { server, world } = this.parts;
    world.scheduler.after(server.backInMs + world.random.next() * ANSWERED_AGAIN_MS, this.process, work);
  }

  private async taskFailed(instance: Instance, token: number, error: unknown): Promise<void> {
    const { server, onTaskFailure } = this.parts;
    const { run } = instance;
    await this.evict(instance);
    const failure = error instanceof Error ? error : new Error(String(error));
    onTaskFailure(run.workflowId, failure);
    const why = error instanceof DoesNotReplay ? 'it does not replay' : failure.message;
    const fail = (): void => server.failTask(run, token, why);
    if (server.backInMs > 0) this.onceBack(fail);
    else fail();
  }

  private async evict(instance: Instance): Promise<void> {
    const { run } = instance;
    if (this.cache.get(run.runId) === instance) this.freeTask(run.runId);
    await this.forget(instance);
  }

  private async forget(instance: Instance): Promise<void> {
    if (instance.isEvicted) return;
    if (this.cache.get(instance.run.runId) === instance) this.cache.delete(instance.run.runId);
    await instance.dispose();
  }

  /** Runs a local activity until it has a result, with the retries of its policy. */
  private runLocal(instance: Instance, activity: LocalActivity): void {
    const seq = activity.seq ?? 0;
    if (instance.running.has(seq)) return;
    instance.running.add(seq);
    const { world, process } = this.parts;
    const retry = retryPolicyOf(activity.retryPolicy);
    const startToCloseMs = durationMs(activity.startToCloseTimeout);
    const attemptOnce = (attempt: number): void => {
      let isOver = false;
      const settle = (outcome: ActivityOutcome): void => {
        if (isOver) return;
        isOver = true;
        cancel();
        if (instance.isEvicted) return;
        if ('failed' in outcome && mayRetry(retry, attempt, outcome)) {
          const delayMs =
            outcome.nextRetryMs ??
            Math.min(retry.initialMs * retry.coefficient ** (attempt - 1), retry.maximumMs);
          world.scheduler.after(delayMs, process, () => attemptOnce(attempt + 1));
        } else this.localDone(instance, seq, 'failed' in outcome ? { failed: outcome.failed } : outcome);
      };
      const timedOut: ActivityOutcome = {
        failed: { message: 'timed out' },
        type: 'TimedOut',
        isRetryable: true,
        nextRetryMs: null,
      };
      const cancel = world.scheduler.after(startToCloseMs, process, () => settle(timedOut));
      const of = {
        id: activity.activityId ?? '',
        type: activity.activityType ?? '',
        attempt,
        isLocal: true,
        nowMs: world.nowMs,
        startToCloseMs,
      };
      void this.execute(infoOf(of, instance.run), activity.arguments ?? [], () => undefined).then(settle);
    };
    world.scheduler.after(0, process, () => attemptOnce(1));
  }

  private localDone(instance: Instance, seq: number, result: LocalResult): void {
    const { world } = this.parts;
    if (instance.hasHeartbeat) {
      // There is no task that could carry the result. The next one is on its way.
      instance.held.push(() => this.localDone(instance, seq, result));
      return;
    }
    this.inTurn(instance.run.runId, async () => {
      if (instance.isEvicted) return;
      const { token } = instance;
      try {
        await instance.resolve(seq, result, world.nowMs);
        instance.running.delete(seq);
        for (const activity of instance.outstanding.values()) this.runLocal(instance, activity);
        if (instance.outstanding.size === 0) {
          world.scheduler.after(world.latencyMs(), this.process, () => this.answer(instance, false));
        }
      } catch (error) {
        await this.taskFailed(instance, token, error);
      }
    });
  }

  private execute(info: Info, input: readonly Payload[], heartbeat: () => void): Promise<ActivityOutcome> {
    const { activities, process, world, onFault } = this.parts;
    const activity = activities[info.activityType];
    if (activity === undefined) throw new Error(`no activity ${info.activityType}`);
    const args = input.map((payload) => defaultPayloadConverter.fromPayload<never>(payload));
    const context = contextOf(info, heartbeat);
    world.trace.step(
      `${process.name}: ${info.activityType} ${info.workflowExecution?.workflowId} attempt ${info.attempt}`,
    );
    return currentOwner.run(process, () =>
      asyncLocalStorage.run(context, () =>
        activity(...args).then(
          (result): ActivityOutcome => ({ completed: defaultPayloadConverter.toPayload(result) }),
          (error: unknown) => {
            if (!isExplained(error)) onFault(info.activityType, error);
            return failureOf(error);
          },
        ),
      ),
    );
  }
}

const mayRetry = (
  { attempts, nonRetryable }: RetryPolicy,
  attempt: number,
  { isRetryable, type }: Extract<ActivityOutcome, { failed: unknown }>,
): boolean => isRetryable && attempt < attempts && !nonRetryable.includes(type);

/** Returns true if the workflow runs local activities and hasn't requested another task in the meantime. */
const runsLocalActivities = ({ outstanding, hasHeartbeat }: Instance): boolean =>
  outstanding.size > 0 && !hasHeartbeat;

/** Returns true if the workflow's state matches the history before the task. */
const continues = (instance: Instance): boolean => !hasMissedTask(instance) && !instance.isBlind;

function hasMissedTask({ applied, run: { events } }: Instance): boolean {
  return applied <= events.findLastIndex(({ kind }) => kind === 'taskCompleted');
}

/** Returns true if an unreachable server or an activity that requests a retry explains the error. */
function isExplained(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isExplained);
  if (error instanceof ApplicationFailure || error instanceof CarrierUnreachable) return true;
  if (error instanceof ServiceError || isDatabaseUnreachable(error)) return true;
  return error instanceof Error && error.cause !== undefined && isExplained(error.cause);
}

function failureOf(error: unknown): ActivityOutcome {
  const failure = ensureApplicationFailure(error);
  const isApplication = failure instanceof ApplicationFailure;
  const delay = Reflect.get(failure, 'nextRetryDelay') as unknown;
  const type = (isApplication && failure.type) || failure.name;
  const nonRetryable = isApplication && failure.nonRetryable === true;
  return {
    failed: { message: failure.message, applicationFailureInfo: { type, nonRetryable } },
    type,
    isRetryable: !nonRetryable,
    nextRetryMs: typeof delay === 'number' ? delay : null,
  };
}
