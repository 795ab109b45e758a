import { readdir, readFile } from 'node:fs/promises';

/** Linux counts process times in hundredths of a second, whatever the kernel's tick. */
const TICK_MS = 10;

export interface ProcessTimes {
  pid: number;
  parent: number;
  /** User and system time of the process, including all its threads and its ended children. */
  cpuMs: number;
}

/** Parses `/proc/<pid>/stat`. */
export function readStat(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
  return { pid: Number.parseInt(stat, 10), parent: Number(fields[1]), cpuMs: ticks * TICK_MS };
}

/** Returns the CPU time of a process and its descendants. An ended descendant's time is included in its parent's. */
export function treeCpuMs(processes: readonly ProcessTimes[], root: number): number {
  const own = processes.find(({ pid }) => pid === root)?.cpuMs ?? 0;
  return processes
    .filter(({ parent }) => parent === root)
    .reduce((sum, { pid }) => sum + treeCpuMs(processes, pid), own);
}

/** Returns the CPU time of each process tree so far, in milliseconds. Linux only. */
export async function cpuTimes<Name extends string>(
  roots: Record<Name, number>,
): Promise<Record<Name, number>> {
  const processes = await allProcesses();
  const used = {} as Record<Name, number>;
  for (const name in roots) used[name] = treeCpuMs(processes, roots[name]);
  return used;
}

export async function allProcesses(): Promise<ProcessTimes[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)));
  return stats.flatMap((stat) => (stat === null ? [] : [readStat(stat)]));
}

/** Returns the CPU time of these databases' open backends. Postgres puts the database into a backend's process title. */
export async function backendsCpuMs(postmaster: number, databases: readonly string[]): Promise<number> {
  const backends = (await allProcesses()).filter(({ parent }) => parent === postmaster);
  const titles = await Promise.all(
    backends.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return backends.reduce(
    (sum, { cpuMs }, nth) => sum + (databases.includes(databaseOf(titles[nth] ?? '') ?? '') ? cpuMs : 0),
    0,
  );
}

/** Parses `postgres: user database 127.0.0.1(40000) idle`. Returns null unless the title is of a client's backend. */
export function databaseOf(title: string): string | null {
  return /^postgres: \S+ (\S+) [\d.:]+\(\d+\)/.exec(title)?.[1] ?? null;
}

/** Returns the time that all processors have been busy so far, without idle time and I/O wait. */
export async function machineBusyMs(): Promise<number> {
  return readMachineBusyMs(await readFile('/proc/stat', 'utf8'));
}

/** Reads the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
export function readMachineBusyMs(stat: string): number {
  const fields = (stat.split('\n', 1)[0] ?? '').trim().split(/\s+/).slice(1).map(Number);
  return [0, 1, 2, 5, 6].reduce((sum, field) => sum + (fields[field] ?? 0), 0) * TICK_MS;
}

export function difference<Name extends string>(
  after: Record<Name, number>,
  before: Record<Name, number>,
): Record<Name, number> {
  const result = { ...after };
  for (const name in after) result[name] = after[name] - before[name];
  return result;
}
