/** The parts of a Temporal server that the engine uses: runs and their histories, tasks with timeouts, timers, signals, children. */
import type { Owner } from '../time/scheduler';
import type { World } from '../world';
import { ActivityTasks } from './activity-tasks';
import { applyCommand, type ServerCommand } from './commands';
import {
  AlreadyStarted,
  type Payload,
  type Poller,
  type Run,
  type ServerPort,
  type SlotFor,
  type StartRequest,
} from './execution';

/** How long a task waits for the worker that has the workflow in its cache (`stickyQueueScheduleToStartTimeout`). */
const STICKY_MS = 1_000;
/** Initial delay before a failed task is offered again. The delay grows with each failure. */
const FAILED_TASK_RETRY_MS = 1_000;
const FAILED_TASK_RETRY_MAX_MS = 600_000;
const DEFAULT_TASK_TIMEOUT_MS = 10_000;

export class TemporalServer implements ServerPort {
  private readonly runs = new Map<string, Run>();
  private readonly pollers = new Set<Poller>();
  private waitingTasks: (() => void)[] = [];
  private ids = 0;
  readonly activities: ActivityTasks;
  /** Owner of the server's timers. */
  readonly process: Owner = { name: 'temporal', isAlive: true, stalledUntilMs: 0 };
  /** Number of open runs. */
  openRuns = 0;
  /** Called with each run that its own code fails, and with the reason. */
  onFailedRun: (run: Run, why: string) => void = () => undefined;

  constructor(readonly world: World) {
    this.activities = new ActivityTasks(this);
  }

  /** Makes the server unreachable: it offers no tasks and fires no timers until it is back, but keeps everything that was written. */
  die(downMs: number): void {
    this.process.stalledUntilMs = this.world.nowMs + downMs;
  }

  /** Time until the server responds again; 0 while it is up. */
  get backInMs(): number {
    return Math.max(0, this.process.stalledUntilMs - this.world.nowMs);
  }

  nextId(): number {
    return (this.ids += 1);
  }

  find(workflowId: string): Run | undefined {
    return this.runs.get(workflowId);
  }

  open(): Run[] {
    return [...this.runs.values()].filter(({ status }) => status === 'running');
  }

  connect(poller: Poller): void {
    this.pollers.add(poller);
    this.slotFreed();
  }

  /** Offers tasks again for which no worker had a free slot. */
  slotFreed(): void {
    const waiting = this.waitingTasks;
    this.waitingTasks = [];
    for (const give of waiting) give();
  }

  disconnect(poller: Poller): void {
    this.pollers.delete(poller);
  }

  start(request: StartRequest, reuse = true): Run {
    const { workflowId, type, input, taskTimeoutMs, parent = null } = request;
    const other = this.runs.get(workflowId);
    if (other !== undefined && (other.status === 'running' || !reuse)) throw new AlreadyStarted(workflowId);
    const startedMs = this.world.nowMs;
    const run: Run = {
      runId: `run-${this.nextId()}`,
      workflowId,
      type,
      input,
      startedMs,
      taskTimeoutMs: taskTimeoutMs || DEFAULT_TASK_TIMEOUT_MS,
      parent,
      status: 'running',
      events: [{ kind: 'started', atMs: startedMs }],
      buffered: [],
      task: null,
      sticky: null,
      timers: new Map(),
      activities: new Map(),
      isCancelRequested: false,
    };
    this.runs.set(workflowId, run);
    this.openRuns += 1;
    this.scheduleTask(run, 1);
    return run;
  }

  /** Returns false if no run is open. */
  signal(workflowId: string, name: string, input: Payload[]): boolean {
    const run = this.runs.get(workflowId);
    if (run?.status !== 'running') return false;
    this.happened(run, { kind: 'signaled', atMs: this.world.nowMs, name, input });
    return true;
  }

  cancel(workflowId: string): boolean {
    const run = this.runs.get(workflowId);
    if (run?.status !== 'running') return false;
    if (run.isCancelRequested) return true;
    run.isCancelRequested = true;
    this.happened(run, { kind: 'cancelRequested', atMs: this.world.nowMs });
    return true;
  }

  happened(run: Run, event: Run['events'][number]): void {
    if (run.status !== 'running') return;
    if (run.task?.state === 'started') run.buffered.push(event);
    else {
      run.events.push(event);
      if (run.task === null) this.scheduleTask(run, 1);
    }
  }

  close(run: Run, status: Exclude<Run['status'], 'running'>): void {
    if (run.status !== 'running') return;
    run.status = status;
    this.openRuns -= 1;
    run.task?.cancelTimeout?.();
    run.task = null;
    for (const cancel of run.timers.values()) cancel();
    this.activities.forget(run);
    this.closeChildren(run);
    const { parent } = run;
    if (parent !== null && status !== 'continued') {
      this.happened(parent.run, { kind: 'childClosed', atMs: this.world.nowMs, seq: parent.seq });
    }
  }

  /** A run that continues as new also closes its children. */
  private closeChildren(run: Run): void {
    for (const child of this.open()) {
      if (child.parent?.run !== run) continue;
      const { closePolicy } = child.parent;
      if (closePolicy === 'terminate') this.close(child, 'terminated');
      if (closePolicy === 'cancel') this.cancel(child.workflowId);
    }
  }

  /** Handles the completion of a workflow task. Returns the new length of the history, or null if the completion was late or invalid. */
  completeTask(
    run: Run,
    token: number,
    commands: readonly ServerCommand[],
    isHeartbeat: boolean,
  ): number | null {
    const { task } = run;
    if (run.status !== 'running' || task?.state !== 'started' || task.token !== token) return null;
    const closes = commands.some(({ closes }) => closes !== undefined);
    if (closes && run.buffered.length > 0) {
      this.failTask(run, token, 'unhandled command');
      return null;
    }
    task.cancelTimeout?.();
    run.task = null;
    const atMs = this.world.nowMs;
    run.events.push({ kind: 'taskCompleted', atMs });
    for (const { recorded } of commands) run.events.push({ kind: 'command', atMs, command: recorded });
    const length = run.events.length;
    for (const command of commands) applyCommand(this, run, command);
    this.afterTask(run, isHeartbeat, 1);
    return length;
  }

  failTask(run: Run, token: number, why: string): void {
    const { task } = run;
    if (run.status !== 'running' || task?.state !== 'started' || task.token !== token) return;
    task.cancelTimeout?.();
    run.events.push({ kind: 'taskFailed', atMs: this.world.nowMs, why });
    run.task = null;
    run.sticky = null;
    this.world.trace.note('temporal', `${run.workflowId}: task failed, ${why}`);
    const isAgainAtOnce = why === 'unhandled command';
    const delayMs = isAgainAtOnce
      ? 0
      : Math.min(FAILED_TASK_RETRY_MS * 2 ** task.attempt, FAILED_TASK_RETRY_MAX_MS);
    this.flush(run);
    const attempt = isAgainAtOnce ? 1 : task.attempt + 1;
    run.task = { state: 'scheduled', attempt, token: this.nextId(), cancelTimeout: null };
    const waiting = run.task;
    this.world.scheduler.after(delayMs, this.process, () => {
      if (run.task === waiting) this.scheduleTask(run, attempt);
    });
  }

  private afterTask(run: Run, isWanted: boolean, attempt: number): void {
    if (run.status !== 'running') return;
    const wasBuffered = this.flush(run);
    if (wasBuffered || isWanted) this.scheduleTask(run, attempt);
  }

  private flush(run: Run): boolean {
    const { buffered } = run;
    run.buffered = [];
    run.events.push(...buffered);
    return buffered.length > 0;
  }

  private scheduleTask(run: Run, attempt: number): void {
    run.task = { state: 'scheduled', attempt, token: this.nextId(), cancelTimeout: null };
    run.events.push({ kind: 'taskScheduled', atMs: this.world.nowMs });
    this.offerTask(run, run.task.token);
  }

  private offerTask(run: Run, token: number): void {
    const give = (): void => {
      if (run.task?.token !== token || run.task.state !== 'scheduled') return;
      const { sticky } = run;
      if (sticky !== null && !sticky.isAlive) {
        run.sticky = null;
        this.world.scheduler.after(STICKY_MS, this.process, give);
        return;
      }
      const poller = this.choose(sticky?.name ?? null, { kind: 'workflowTask', runId: run.runId });
      if (poller === undefined) this.waitingTasks.push(give);
      else this.startTask(run, poller);
    };
    this.world.scheduler.after(this.world.latencyMs(), this.process, give);
  }

  private startTask(run: Run, poller: Poller): void {
    const { task } = run;
    if (task === null) return;
    task.state = 'started';
    run.events.push({ kind: 'taskStarted', atMs: this.world.nowMs });
    run.sticky = poller.process;
    poller.holdSlotFor({ kind: 'workflowTask', runId: run.runId });
    const { token, attempt } = task;
    task.cancelTimeout = this.world.scheduler.after(run.taskTimeoutMs, this.process, () =>
      this.taskTimedOut(run, token),
    );
    this.world.scheduler.after(this.world.latencyMs(), poller.process, () =>
      poller.takeWorkflowTask({ run, token, attempt }),
    );
  }

  private taskTimedOut(run: Run, token: number): void {
    const { task } = run;
    if (run.status !== 'running' || task?.token !== token) return;
    this.world.trace.note('temporal', `${run.workflowId}: task timed out`);
    run.events.push({ kind: 'taskTimedOut', atMs: this.world.nowMs });
    run.task = null;
    run.sticky = null;
    this.flush(run);
    this.scheduleTask(run, task.attempt + 1);
  }

  choose(name: string | null, task: SlotFor): Poller | undefined {
    const alive = [...this.pollers].filter((poller) => poller.process.isAlive && poller.hasSlotFor(task));
    const wanted = alive.find(({ process }) => process.name === name);
    const [first, ...others] = alive;
    if (wanted !== undefined || first === undefined) return wanted;
    return this.world.random.pick([first, ...others]);
  }

  whenAnyPolls(give: () => void): void {
    this.waitingTasks.push(give);
  }
}
