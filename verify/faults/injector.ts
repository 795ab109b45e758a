/** Injects the faults of a plan and records when they happened. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { query } from '../../dev/stack/postgres';
import type { RunningProcess } from '../../dev/stack/processes';
import type { Evidence } from './evidence';
import type { Fault, ProcessName } from './plan/faults';
import type { FaultStack } from './stack/fault-stack';

/** A starved process runs for a tenth of each period. */
const PERIOD_MS = 200;
const RUNS_MS = 20;

/** Stalls `pid` and its descendants for `forMs`. Descendants matter because Postgres serves each connection in a separate process. */
async function stallProcess(pid: number, forMs: number): Promise<void> {
  const stopped = await stopTree(pid);
  try {
    await delay(forMs);
  } finally {
    resume(stopped);
  }
}

/** Gives `pid` and its descendants a tenth of a processor for `forMs`. */
async function starve(pid: number, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    await stallProcess(pid, PERIOD_MS - RUNS_MS);
    await delay(RUNS_MS);
  }
}

/** Stops parents before children, because a stopped process can't start others. Returns the ids of all stopped processes. */
async function stopTree(pid: number): Promise<number[]> {
  const stopped: number[] = [];
  for (let found = [pid]; found.length > 0;) {
    stopped.push(...found.filter((each) => signalled(each, 'SIGSTOP')));
    const children = await childrenByParent();
    found = stopped.flatMap((each) => children.get(each) ?? []).filter((each) => !stopped.includes(each));
  }
  return stopped;
}

/** Resumes children before parents, so that parents find them running. */
function resume(stopped: readonly number[]): void {
  for (const pid of stopped.toReversed()) signalled(pid, 'SIGCONT');
}

/** Returns false if the process is gone. */
function signalled(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function childrenByParent(): Promise<Map<number, number[]>> {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of await (process.platform === 'linux' ? fromProc() : fromPs())) {
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

type Pair = [pid: number, parent: number];

async function fromProc(): Promise<Pair[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const pairs = await Promise.all(
    pids.map(async (pid): Promise<Pair[]> => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
      if (stat === null) return [];
      // The process name in parentheses may itself contain spaces and parentheses, so fields are counted from the last one.
      return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
    }),
  );
  return pairs.flat();
}

async function fromPs(): Promise<Pair[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line): Pair => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number);
      return [pid ?? 0, parent ?? 0];
    });
}

const START_WITHIN_MS = 60_000;
const START_AGAIN_AFTER_MS = 200;

/** Injects the faults of a plan and records when they happened. */
export class Injector {
  /** Runs the faults of one process one after another. */
  private readonly turns = new Map<ProcessName, Promise<void>>();
  private isClosing = false;

  constructor(
    private readonly stack: FaultStack,
    private readonly evidence: Evidence,
    private readonly say: (line: string) => void,
  ) {}

  async inject(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'kill':
        return this.inTurn(fault.process, () => this.kill(fault.process, fault.downMs));
      case 'cut': {
        const link = this.stack.network.link(fault.link);
        const how = fault.how === 'silence' ? 'cut, silently' : 'cut';
        return this.during(
          how,
          fault.link,
          fault.forMs,
          () => link.cut(fault.how),
          () => link.heal(),
        );
      }
      case 'lose_answers': {
        const link = this.stack.network.link(fault.link);
        const instead = fault.how === 'page' ? ', a page of a proxy in their place' : '';
        return this.during(
          `answers lost (${fault.count}${instead})`,
          fault.link,
          fault.forMs,
          () => link.loseAnswers(fault.count, fault.how),
          () => void link.loseNoMore(),
        );
      }
      case 'shuffle_events': {
        const { relay } = this.stack;
        return this.during(
          'events repeated and shuffled',
          'carrier-api',
          fault.forMs,
          () => relay.shuffle(true),
          () => relay.shuffle(false),
        );
      }
      case 'shift_clock': {
        const fromMs = this.stack.clocks.shift(fault.clock, fault.offsetMs);
        this.say(`clock of the ${fault.clock} ${signed(fault.offsetMs)} s`);
        this.evidence.fault({ at: iso(fromMs), until: null, fault: 'clock shifted', target: fault.clock });
        return;
      }
      case 'rolling_restart':
        this.say('rolling restart of all processes');
        for (const name of fault.processes) await this.inTurn(name, () => this.restart(name));
        return;
      case 'stall':
        return this.slow(fault, 'stalled', stallProcess);
      case 'starve':
        return this.slow(fault, 'starved', starve);
      case 'lock_organization': {
        const organization = this.evidence.organizations[fault.organization];
        if (organization === undefined) throw new Error(`the plan has no organization ${fault.organization}`);
        const { databaseUrl } = this.stack;
        return this.lasting('row locked', `client ${fault.organization + 1}`, fault.forMs, () =>
          lockOrganization(databaseUrl, organization.id, fault.forMs),
        );
      }
    }
  }

  /** Restarts a process that ended although no fault killed it, as a deployment would. */
  startAgain(name: ProcessName, reason: string): void {
    if (this.isClosing) return;
    const killedAt = Date.now();
    this.say(`${name} ${reason}; started again`);
    void this.inTurn(name, () => this.start(name, killedAt));
  }

  /** Heals all links and starts all processes. Nothing is restarted afterwards. */
  async settle(): Promise<void> {
    await Promise.all(this.turns.values());
    await this.stack.network.heal();
    this.stack.relay.shuffle(false);
  }

  close(): void {
    this.isClosing = true;
  }

  private async kill(name: ProcessName, downMs: number): Promise<void> {
    const process = this.process(name);
    const towards = this.stack.network.towards(name);
    const killedAt = Date.now();
    this.say(`kill -9 ${name}`);
    await process.kill();
    await Promise.all(towards.map((link) => link.cut('refuse')));
    this.evidence.fault({ at: iso(killedAt), until: null, fault: 'killed', target: name });
    await delay(downMs);
    await this.start(name, killedAt);
  }

  private slow(
    { process, forMs }: { process: ProcessName; forMs: number },
    what: string,
    how: (pid: number, forMs: number) => Promise<void>,
  ): Promise<void> {
    return this.inTurn(process, () => {
      const { pid } = this.process(process);
      return this.lasting(what, process, forMs, () => how(pid, forMs));
    });
  }

  /** Restarts a process as a deployment would: SIGTERM, drain, new process. */
  private async restart(name: ProcessName): Promise<void> {
    const requestedAt = Date.now();
    await this.process(name).stop();
    const endedAt = Date.now();
    this.evidence.fault({ at: iso(requestedAt), until: iso(endedAt), fault: 'stopped', target: name });
    await this.start(name, endedAt);
  }

  private async start(name: ProcessName, killedAt: number): Promise<void> {
    const process = this.process(name);
    const startedAt = Date.now();
    const deadline = startedAt + START_WITHIN_MS;
    for (;;) {
      try {
        await process.start();
        break;
      } catch (error) {
        // The old server may still be closing connections, or Temporal may be unavailable to a worker. The next attempt succeeds.
        if (this.isClosing || Date.now() > deadline) throw error;
        await delay(START_AGAIN_AFTER_MS);
      }
    }
    await Promise.all(this.stack.network.towards(name).map((link) => link.heal()));
    const readyAt = Date.now();
    this.evidence.restart({
      process: name,
      killed_at: iso(killedAt),
      started_at: iso(startedAt),
      ready_at: iso(readyAt),
    });
    this.say(`${name} is back after ${seconds(readyAt - killedAt)} s`);
  }

  private async during(
    what: string,
    target: string,
    forMs: number,
    begin: () => Promise<void> | void,
    end: () => Promise<void> | void,
  ): Promise<void> {
    return this.lasting(what, target, forMs, async () => {
      await begin();
      await delay(forMs);
      await end();
    });
  }

  /** Runs a fault that starts and ends on its own. */
  private async lasting(
    what: string,
    target: string,
    forMs: number,
    fault: () => Promise<void>,
  ): Promise<void> {
    const at = Date.now();
    this.say(`${target}: ${what} for ${seconds(forMs)} s`);
    await fault();
    this.evidence.fault({ at: iso(at), until: iso(Date.now()), fault: what, target });
  }

  private inTurn(name: ProcessName, work: () => Promise<void>): Promise<void> {
    const turn = (this.turns.get(name) ?? Promise.resolve()).then(work);
    this.turns.set(
      name,
      turn.catch(() => undefined),
    );
    return turn;
  }

  private process(name: ProcessName): RunningProcess {
    const process = this.stack.processes.get(name);
    if (process === undefined) throw new Error(`${name} is not part of this run`);
    return process;
  }
}

async function lockOrganization(databaseUrl: string, organizationId: string, forMs: number): Promise<void> {
  await query(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select 1 from organizations where id = $1 for update', [organizationId]);
    await delay(forMs);
    await client.query('rollback');
  });
}

const iso = (ms: number): string => new Date(ms).toISOString();
const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const signed = (ms: number): string => `${ms >= 0 ? '+' : ''}${Math.round(ms / 1000)}`;
