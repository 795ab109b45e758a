import { readFile } from 'node:fs/promises';
import { allProcesses, type ProcessTimes } from './cpu-time';

export interface MemoryUse {
  /** What a process shares with others counts in full in each. */
  residentBytes: number;
  /** What it shares counts by its share: these add up. */
  proportionalBytes: number;
}

/** Of a process with all its descendants; what ends while it is read counts as nothing. Linux only. */
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
