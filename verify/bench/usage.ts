/** Measures the resources that the platform's processes and other programs use during a piece of work. */
import { loadavg } from 'node:os';
import type { BenchStack } from './bench-stack';
import { TEMPORAL_DATABASES } from '../../dev/stack/temporal-on-postgres';
import { backendsCpuMs, cpuTimes, difference, machineBusyMs } from './cpu-time';
import { statementsBetween } from './statements';

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
  return measureUsageOf(bench, bench.stack.worker.pid, work);
}

/** Same as `measureUsage`, but for a different worker. */
export async function measureUsageOf<T>(
  bench: BenchStack,
  workerPid: number,
  work: () => Promise<T>,
): Promise<{ usage: Usage; result: T }> {
  const statementsBefore = await bench.statements.read();
  const before = await readCpu(bench, workerPid);
  const startedAtMs = performance.now();
  const result = await work();
  const elapsedMs = performance.now() - startedAtMs;
  const after = await readCpu(bench, workerPid);
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

async function readCpu({ stack }: BenchStack, workerPid: number) {
  const { api, temporal, postgres } = stack;
  if (temporal === null || postgres === null) throw new Error('the benchmark needs its own servers');
  const used = await cpuTimes({
    bench: process.pid,
    worker: workerPid,
    temporal: temporal.process.pid,
    api: api.pid,
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
