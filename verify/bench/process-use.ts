/** What the processes of a call over LiveKit use, and what each further call adds. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Media } from '../../dev/stack/stack';
import type { BenchStack } from './bench-stack';
import { cpuTimes, difference } from './cpu-time';
import { figure, type Figure } from './figure';
import { residentTreeBytes } from './resident-memory';

const MEASURED_MS = 20_000;
/** For what the last call started to settle. */
const SETTLED_MS = 5_000;
const MIB = 2 ** 20;

export interface ProcessUse {
  name: string;
  bytes: number;
  /** Of one core. */
  cpuShare: number;
}

export function mediaOf({ stack }: BenchStack): Media {
  if (stack.media === null) throw new Error('the stack has no media servers');
  return stack.media;
}

/** Takes 25 s. */
export async function measureProcesses(bench: BenchStack): Promise<ProcessUse[]> {
  const { api, worker } = bench.stack;
  const media = mediaOf(bench);
  const pids = { api: api.pid, worker: worker.pid, agent: media.agent.pid, LiveKit: media.livekit.pid };
  await delay(SETTLED_MS);
  const before = await cpuTimes(pids);
  const startedAtMs = performance.now();
  await delay(MEASURED_MS);
  const used = difference(await cpuTimes(pids), before);
  const elapsedMs = performance.now() - startedAtMs;
  const names = ['api', 'worker', 'agent', 'LiveKit'] as const;
  return Promise.all(
    names.map(async (name) => ({
      name,
      bytes: await residentTreeBytes(pids[name]),
      cpuShare: used[name] / elapsedMs,
    })),
  );
}

/** What one of so many adds to each process. */
export function eachMore(
  used: readonly ProcessUse[],
  idle: readonly ProcessUse[],
  count: number,
  one: string,
): Figure[] {
  return used.flatMap(({ name, bytes, cpuShare }, nth) => {
    const without = idle[nth] ?? { bytes: NaN, cpuShare: NaN };
    return [
      figure(`${name}, each ${one}: resident`, (bytes - without.bytes) / count / MIB, 'MiB'),
      figure(`${name}, each ${one}: CPU`, ((cpuShare - without.cpuShare) / count) * 100, '% of a core'),
    ];
  });
}
