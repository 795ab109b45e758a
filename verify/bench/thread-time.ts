/** The busiest threads of a process. JavaScript runs on one thread at a time, whatever the machine has. */
import { readdir, readFile } from 'node:fs/promises';
import { readStat } from './cpu-time';

/** User and system time of each thread in milliseconds, by thread id. */
export async function threadCpuMs(pid: number): Promise<ReadonlyMap<number, number>> {
  const folder = `/proc/${pid}/task`;
  const ids = await readdir(folder);
  const stats = await Promise.all(
    ids.map((id) => readFile(`${folder}/${id}/stat`, 'utf8').catch(() => null)),
  );
  const threads = stats.flatMap((stat) => (stat === null ? [] : [readStat(stat)]));
  return new Map(threads.map(({ pid: id, cpuMs }) => [id, cpuMs]));
}

/** Time of each thread in between, busiest first. Threads that ended do not count. */
export function busiestFirst(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number[] {
  return [...after].map(([id, ms]) => ms - (before.get(id) ?? 0)).sort((a, b) => b - a);
}
