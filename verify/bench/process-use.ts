/** Use of the processes of calls over LiveKit, and what each further call adds. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Media } from '../../dev/stack/stack';
import type { BenchStack } from './bench-stack';
import { cpuTimes, difference } from './cpu-time';
import { figure, type Figure } from './figure';
import { treeMemory, type MemoryUse } from './resident-memory';

const MEASURED_MS = 20_000;
/** Time for the start of the last call to settle. */
const SETTLED_MS = 5_000;
const MIB = 2 ** 20;

export interface ProcessUse extends MemoryUse {
  name: string;
  /** Share of one core. */
  cpuShare: number;
}

export function mediaOf({ stack }: BenchStack): Media {
  if (stack.media === null) throw new Error('the stack has no media servers');
  return stack.media;
}

/** CPU time over 20 s, and memory at the end. */
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

/** Computes what one of `count` calls adds to each process. */
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
