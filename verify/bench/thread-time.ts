/** Measures the busiest threads of a process. JavaScript runs on one thread at a time, no matter how many cores the machine has. */
import { readdir, readFile } from 'node:fs/promises';
import { readStat } from './cpu-time';

/** Returns the user and system time of each thread in milliseconds, by thread id. */
export async function threadCpuMs(pid: number): Promise<ReadonlyMap<number, number>> {
  const folder = `/proc/${pid}/task`;
  const ids = await readdir(folder);
  const stats = await Promise.all(
    ids.map((id) => readFile(`${folder}/${id}/stat`, 'utf8').catch(() => null)),
  );
  const threads = stats.flatMap((stat) => (stat === null ? [] : [readStat(stat)]));
  return new Map(threads.map(({ pid: id, cpuMs }) => [id, cpuMs]));
}

/** Returns the time of each thread between two readings, busiest first. Threads that ended in between are left out. */
export function busiestFirst(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number[] {
  return [...after].map(([id, ms]) => ms - (before.get(id) ?? 0)).sort((a, b) => b - a);
}
