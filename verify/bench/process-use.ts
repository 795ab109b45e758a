/** Measures the processes involved in calls over LiveKit, and what each additional call uses. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Media } from '../../dev/stack/stack';
import type { BenchStack } from './bench-stack';
import { allProcesses, cpuTimes, difference, type ProcessTimes } from './cpu-time';
import { figure, type Figure } from './figure';

const MEASURED_MS = 20_000;
/** Long enough for the last call to finish starting. */
const SETTLED_MS = 5_000;
const MIB = 2 ** 20;

interface MemoryUse {
  /** Includes shared memory in full for each process. */
  residentBytes: number;
  /** Divides shared memory among the processes that use it, so that values add up. */
  proportionalBytes: number;
}

interface ProcessUse extends MemoryUse {
  name: string;
  /** Fraction of one core. */
  cpuShare: number;
}

export function mediaOf({ stack }: BenchStack): Media {
  if (stack.media === null) throw new Error('the stack has no media servers');
  return stack.media;
}

/** Measures CPU time over 20 s, and memory at the end. */
export async function measureProcesses(bench: BenchStack): Promise<ProcessUse[]> {
  await delay(SETTLED_MS);
  const { api, worker } = bench.stack;
  const media = mediaOf(bench);
  const pids = { api: api.pid, worker: worker.pid, agent: media.agent.pid, LiveKit: media.livekit.pid };
  const before = await cpuTimes(pids);
  const startedAtMs = performance.now();
  await delay(MEASURED_MS);
  const cpuMs = difference(await cpuTimes(pids), before);
  const elapsedMs = performance.now() - startedAtMs;
  const names = ['api', 'worker', 'agent', 'LiveKit'] as const;
  return Promise.all(
    names.map(async (name) => ({
      name,
      ...(await treeMemory(pids[name])),
      cpuShare: cpuMs[name] / elapsedMs,
    })),
  );
}

/** Returns what each of `count` calls adds to each process. */
export function eachMore(
  used: readonly ProcessUse[],
  idle: readonly ProcessUse[],
  count: number,
  one: string,
): Figure[] {
  const more = (now: number, without: number | undefined): number => (now - (without ?? NaN)) / count;
  return used.flatMap(({ name, residentBytes, proportionalBytes, cpuShare }, nth) => {
    const without = idle[nth];
    const each = `${name}, each ${one}`;
    return [
      figure(`${each}: resident`, more(residentBytes, without?.residentBytes) / MIB, 'MiB'),
      figure(`${each}: proportional`, more(proportionalBytes, without?.proportionalBytes) / MIB, 'MiB'),
      figure(`${each}: CPU`, more(cpuShare, without?.cpuShare) * 100, '% of a core'),
    ];
  });
}

/** Returns the memory of a process and all its descendants. Linux only. A process that has ended in the meantime is ignored. */
async function treeMemory(root: number): Promise<MemoryUse> {
  const pids = treeOf(await allProcesses(), root);
  const each = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  const used = each.map(readSmaps);
  return {
    residentBytes: used.reduce((sum, one) => sum + one.residentBytes, 0),
    proportionalBytes: used.reduce((sum, one) => sum + one.proportionalBytes, 0),
  };
}

function readSmaps(smaps: string): MemoryUse {
  const bytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(smaps)?.[1] ?? 0) * 1024;
  return { residentBytes: bytes('Rss'), proportionalBytes: bytes('Pss') };
}

function treeOf(processes: readonly ProcessTimes[], root: number): number[] {
  const children = processes.filter(({ parent }) => parent === root);
  return [root, ...children.flatMap(({ pid }) => treeOf(processes, pid))];
}
