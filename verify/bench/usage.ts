/** Measures the CPU time and the statements of the platform's processes and of other programs during a piece of work. */
import { readdir, readFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { TEMPORAL_DATABASES } from '../../dev/stack/temporal-on-postgres';
import type { BenchStack } from './bench-stack';
import { statementsBetween } from './statements';

/** Linux counts process times in hundredths of a second, independent of the kernel's tick. */
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
function treeCpuMs(processes: readonly ProcessTimes[], root: number): number {
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
async function backendsCpuMs(postmaster: number, databases: readonly string[]): Promise<number> {
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
function databaseOf(title: string): string | null {
  return /^postgres: \S+ (\S+) [\d.:]+\(\d+\)/.exec(title)?.[1] ?? null;
}

/** Returns the time that all processors have been busy so far, without idle time and I/O wait. */
async function machineBusyMs(): Promise<number> {
  return readMachineBusyMs(await readFile('/proc/stat', 'utf8'));
}

/** Reads the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
function readMachineBusyMs(stat: string): number {
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

export interface Machine {
  cpu: string;
  cores: number;
  memoryGib: number;
  node: string;
  /** Null if it was not needed. */
  temporal: string | null;
  postgres: string | null;
  /** Load average of the last minute before the benchmark. If it is above zero, other programs were running. */
  loadBefore: number;
}

export function machine(servers: Pick<Machine, 'temporal' | 'postgres'>, loadBefore: number): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version.slice(1),
    ...servers,
    loadBefore,
  };
}

export const loadNow = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100;

export function machineLine(m: Machine): string {
  return (
    `${m.cpu}, ${m.cores} cores, ${m.memoryGib} GiB; node ${m.node}, ` +
    (m.temporal === null ? '' : `Temporal ${m.temporal}, `) +
    (m.postgres === null ? '' : `Postgres ${m.postgres}, `) +
    `load before ${m.loadBefore}`
  );
}

/** `temporalInPostgres` is the part of `postgres` that serves Temporal; null if Temporal stores its state in a file. */
export type PlatformCpuMs = Record<'worker' | 'temporal' | 'api' | 'postgres', number> & {
  temporalInPostgres: number | null;
};

export interface Usage {
  elapsedMs: number;
  cpuMs: PlatformCpuMs;
  /** The benchmark itself, including the carrier and the receiver. */
  restCpuMs: number;
  statements: [string, number][];
  /** Average number of cores that other programs kept busy. */
  othersCores: number;
  /** Load average of the last minute, at the end. */
  load: number;
}

export function measureUsage<T>(
  bench: BenchStack,
  work: () => Promise<T>,
): Promise<{ usage: Usage; result: T }> {
  const { worker, api } = bench.stack;
  return measureUsageOf(bench, { worker: worker.pid, api: api.pid }, work);
}

/** Stands for a process that the measured program doesn't have. */
export const NO_PROCESS = -1;

type ProgramPids = Record<'worker' | 'api', number>;

/** Same as `measureUsage`, but for a different program. */
export async function measureUsageOf<T>(
  bench: BenchStack,
  program: ProgramPids,
  work: () => Promise<T>,
): Promise<{ usage: Usage; result: T }> {
  const statementsBefore = await bench.statements.read();
  const before = await readCpu(bench, program);
  const startedAtMs = performance.now();
  const result = await work();
  const elapsedMs = performance.now() - startedAtMs;
  const after = await readCpu(bench, program);
  const statements = statementsBetween(statementsBefore, await bench.statements.read());
  const { machine, bench: ours, ...parts } = difference(after, before);
  return {
    usage: {
      elapsedMs,
      cpuMs: {
        ...parts,
        temporalInPostgres: bench.temporalOnPostgres ? parts.temporalInPostgres : null,
      },
      restCpuMs: ours - parts.worker - parts.temporal - parts.api - parts.postgres,
      statements,
      othersCores: Math.max(0, machine - ours) / elapsedMs,
      load: loadavg()[0] ?? NaN,
    },
    result,
  };
}

async function readCpu({ stack }: BenchStack, program: ProgramPids) {
  const { temporal, postgres } = stack;
  if (temporal === null || postgres === null) throw new Error('the benchmark needs its own servers');
  const used = await cpuTimes({
    bench: process.pid,
    ...program,
    temporal: temporal.process.pid,
    postgres: postgres.process.pid,
  });
  return {
    ...used,
    temporalInPostgres: await backendsCpuMs(postgres.process.pid, Object.values(TEMPORAL_DATABASES)),
    machine: await machineBusyMs(),
  };
}

/** Combines rounds as if they were a single one. */
export function pooledUsage(usages: readonly Usage[]): Usage {
  const sum = (value: (usage: Usage) => number) => usages.reduce((total, usage) => total + value(usage), 0);
  const counts = new Map<string, number>();
  for (const [query, count] of usages.flatMap(({ statements }) => statements)) {
    counts.set(query, (counts.get(query) ?? 0) + count);
  }
  const elapsedMs = sum((usage) => usage.elapsedMs);
  const inPostgres = usages.some(({ cpuMs }) => cpuMs.temporalInPostgres === null)
    ? null
    : sum(({ cpuMs }) => cpuMs.temporalInPostgres ?? 0);
  return {
    elapsedMs,
    cpuMs: {
      worker: sum(({ cpuMs }) => cpuMs.worker),
      temporal: sum(({ cpuMs }) => cpuMs.temporal),
      api: sum(({ cpuMs }) => cpuMs.api),
      postgres: sum(({ cpuMs }) => cpuMs.postgres),
      temporalInPostgres: inPostgres,
    },
    restCpuMs: sum(({ restCpuMs }) => restCpuMs),
    statements: [...counts].sort(([, a], [, b]) => b - a),
    othersCores: sum((usage) => usage.othersCores * usage.elapsedMs) / elapsedMs,
    load: Math.max(...usages.map(({ load }) => load)),
  };
}
