import { readdir, readFile } from 'node:fs/promises';

/** Linux counts a process' time in hundredths of a second, whatever the kernel's own tick. */
const TICK_MS = 10;

export interface ProcessTimes {
  pid: number;
  parent: number;
  /** User and system time of the process with all its threads, and of its children that have ended. */
  cpuMs: number;
}

/** One line of `/proc/<pid>/stat`. */
export function readStat(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
  return { pid: Number.parseInt(stat, 10), parent: Number(fields[1]), cpuMs: ticks * TICK_MS };
}

/** What a process and its descendants have used. A descendant that ended is in its parent's time. */
export function treeCpuMs(processes: readonly ProcessTimes[], root: number): number {
  const own = processes.find(({ pid }) => pid === root)?.cpuMs ?? 0;
  return processes
    .filter(({ parent }) => parent === root)
    .reduce((sum, { pid }) => sum + treeCpuMs(processes, pid), own);
}

/** CPU time used so far by each process tree, in milliseconds. Linux only. */
export async function cpuTimes<Name extends string>(
  roots: Record<Name, number>,
): Promise<Record<Name, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)));
  const processes = stats.flatMap((stat) => (stat === null ? [] : [readStat(stat)]));
  const used = {} as Record<Name, number>;
  for (const name in roots) used[name] = treeCpuMs(processes, roots[name]);
  return used;
}

export function difference<Name extends string>(
  after: Record<Name, number>,
  before: Record<Name, number>,
): Record<Name, number> {
  const result = { ...after };
  for (const name in after) result[name] = after[name] - before[name];
  return result;
}
