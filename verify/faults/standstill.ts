/** Processes that stand still and go on, as on a machine without processor time: nothing is lost, closed or signalled. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Of each period a starved process runs the tenth that it is given. */
const PERIOD_MS = 200;
const RUNS_MS = 20;

/** `pid` and everything below it stand still for so many milliseconds. Postgres serves each connection in a process of its own. */
export async function standStill(pid: number, forMs: number): Promise<void> {
  const stopped = await stopTree(pid);
  try {
    await delay(forMs);
  } finally {
    goOn(stopped);
  }
}

/** `pid` and everything below it get a tenth of the time that passes. */
export async function starve(pid: number, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    await standStill(pid, PERIOD_MS - RUNS_MS);
    await delay(RUNS_MS);
  }
}

/** Parents first: one that stands still starts no further process. Returns the numbers of all that were stopped. */
async function stopTree(pid: number): Promise<number[]> {
  const stopped: number[] = [];
  for (let found = [pid]; found.length > 0;) {
    stopped.push(...found.filter((each) => signalled(each, 'SIGSTOP')));
    const children = await childrenByParent();
    found = stopped.flatMap((each) => children.get(each) ?? []).filter((each) => !stopped.includes(each));
  }
  return stopped;
}

/** Children first, so that a parent finds them running. */
function goOn(stopped: readonly number[]): void {
  for (const pid of stopped.toReversed()) signalled(pid, 'SIGCONT');
}

/** False for a process that is gone. */
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
      // The name in brackets may itself hold blanks and brackets: count from the last one.
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
