/** Stalls and resumes processes, as on a machine that has no processor time for them. Nothing is lost or closed. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A starved process runs for a tenth of each period. */
const PERIOD_MS = 200;
const RUNS_MS = 20;

/** Stalls `pid` and its descendants for `forMs`. Descendants matter because Postgres serves each connection in a separate process. */
export async function standStill(pid: number, forMs: number): Promise<void> {
  const stopped = await stopTree(pid);
  try {
    await delay(forMs);
  } finally {
    goOn(stopped);
  }
}

/** Gives `pid` and its descendants a tenth of a processor for `forMs`. */
export async function starve(pid: number, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    await standStill(pid, PERIOD_MS - RUNS_MS);
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
function goOn(stopped: readonly number[]): void {
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
