import { errorText } from '../error-text';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { signalGroup } from '../toolchain/run';
import { writePidFile } from './data-folder';
import type { UnprivilegedUser } from './unprivileged-user';
import { waitUntil, withinTime } from './wait-until';
import type { Watchdog } from './watchdog';

export type ProcessPlan = {
  /** Name of the process in messages, log file and pid file. */
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  user?: UnprivilegedUser | null;
  /** Returns true once the process is ready. Called repeatedly until then. */
  ready: () => Promise<boolean>;
  readyTimeoutMs: number;
  stopSignal?: 'SIGTERM' | 'SIGINT';
  /** Time the process gets to stop before it is killed. Default 10 s. */
  graceMs?: number;
  /** Runs before each start, including the first. */
  prepare?: () => Promise<void>;
};

export type Supervision = {
  logFolder: string;
  runFolder: string;
  watchdog: Watchdog;
  /** Called when a ready process ends although the stack didn't stop it. */
  onUnexpectedEnd?: (process: RunningProcess, reason: string) => void;
};

/** The process ended before it was ready. The message includes the last lines of its output. */
class EndedEarly extends Error {
  override name = 'EndedEarly';
}

const DEFAULT_GRACE_MS = 10_000;
const LOG_LIMIT_BYTES = 20 * 1024 * 1024;

/** A child process in a separate process group. The terminal's Ctrl-C doesn't reach it, so the stack controls the order of shutdown. */
export class RunningProcess {
  readonly logFile: string;
  private child: ChildProcess | undefined;
  private ended: Promise<string> = Promise.resolve('not started');
  private endReason: string | null = 'not started';
  private endExpected = false;
  private logStartsAt = 0;

  constructor(
    private readonly plan: ProcessPlan,
    private readonly supervision: Supervision,
  ) {
    this.logFile = join(supervision.logFolder, `${plan.name}.log`);
  }

  get name(): string {
    return this.plan.name;
  }

  get pid(): number {
    const pid = this.child?.pid;
    if (pid === undefined) throw new Error(`${this.name} is not running`);
    return pid;
  }

  get running(): boolean {
    return this.endReason === null;
  }

  /** Resolves to the reason when the process has ended. */
  get end(): Promise<string> {
    return this.ended;
  }

  /** Starts or restarts the process and waits until it is ready. If that fails, stops the process again. */
  async start(): Promise<void> {
    if (this.running) throw new Error(`${this.name} is already running`);
    await this.plan.prepare?.();
    await this.spawn();
    try {
      await waitUntil({
        what: this.name,
        check: this.plan.ready,
        timeoutMs: this.plan.readyTimeoutMs,
        failed: () => this.endedEarly(),
      });
    } catch (error) {
      await this.stop();
      if (error instanceof EndedEarly) throw error;
      const reason = errorText(error);
      throw new Error(`${reason}\n${await this.lastLines()}`, { cause: error });
    }
    this.endExpected = false;
  }

  /** Sends the stop signal, and kills the process after its grace period. */
  async stop(): Promise<void> {
    if (!this.running) return;
    this.endExpected = true;
    const pid = this.pid;
    this.signal(this.plan.stopSignal ?? 'SIGTERM');
    await withinTime(this.ended, this.plan.graceMs ?? DEFAULT_GRACE_MS).catch(() => {});
    if (this.running) await this.kill();
    // Also kills child processes that it left running.
    signalGroup(pid, 'SIGKILL');
  }

  /** Sends SIGKILL and waits until the process has ended. */
  async kill(): Promise<void> {
    if (!this.running) return;
    this.endExpected = true;
    signalGroup(this.pid, 'SIGKILL');
    await withinTime(this.ended, 5000);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Returns the last lines of output since the last start. */
  async lastLines(count = 12): Promise<string> {
    const text = await readFile(this.logFile).catch(() => Buffer.alloc(0));
    const lines = text.subarray(this.logStartsAt).toString().trimEnd().split('\n').slice(-count);
    return `${lines.join('\n')}\n(full log: ${this.logFile})`;
  }

  private async spawn(): Promise<void> {
    const { plan, supervision } = this;
    const log = await this.openLog();
    const child = spawn(plan.command, plan.args, {
      env: plan.env,
      cwd: plan.cwd,
      ...(plan.user ? { uid: plan.user.uid, gid: plan.user.gid } : {}),
      detached: true,
      // Output goes directly to the file, so no output is lost if this process dies.
      stdio: ['ignore', log.fd, log.fd],
    });
    this.child = child;
    this.endReason = null;
    this.endExpected = true;
    this.ended = this.follow(child);
    await log.close();
    if (child.pid === undefined) return;
    const signal = plan.stopSignal ?? 'SIGTERM';
    supervision.watchdog.watch(child.pid, signal);
    await writePidFile(this.pidFile, child.pid, signal);
  }

  private get pidFile(): string {
    return join(this.supervision.runFolder, `${this.name}.pid`);
  }

  private async follow(child: ChildProcess): Promise<string> {
    const reason = await new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) =>
        resolve(signal === null ? `ended with status ${code}` : `was ended by ${signal}`),
      );
    });
    this.endReason = reason;
    if (child.pid !== undefined) this.supervision.watchdog.unwatch(child.pid);
    await rm(this.pidFile, { force: true });
    if (!this.endExpected) this.supervision.onUnexpectedEnd?.(this, reason);
    return reason;
  }

  private async endedEarly(): Promise<Error | null> {
    if (this.endReason === null) return null;
    return new EndedEarly(`${this.name} ${this.endReason} before it was ready:\n${await this.lastLines()}`);
  }

  private async openLog() {
    await mkdir(dirname(this.logFile), { recursive: true });
    const size = await stat(this.logFile).then(
      (file) => file.size,
      () => 0,
    );
    if (size > LOG_LIMIT_BYTES) await rename(this.logFile, `${this.logFile}.1`);
    this.logStartsAt = size > LOG_LIMIT_BYTES ? 0 : size;
    return open(this.logFile, 'a', 0o600);
  }

  private signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }
}
