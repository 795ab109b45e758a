import { readFile } from 'node:fs/promises';
import { allProcesses, type ProcessTimes } from './cpu-time';

export interface MemoryUse {
  /** Counts shared memory in full for each process. */
  residentBytes: number;
  /** Counts shared memory proportionally, so that values add up. */
  proportionalBytes: number;
}

/** Memory of a process and all its descendants. Linux only. A process that ends meanwhile counts as nothing. */
export async function treeMemory(root: number): Promise<MemoryUse> {
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
