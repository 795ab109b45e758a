import { cpus, loadavg, totalmem } from 'node:os';

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
