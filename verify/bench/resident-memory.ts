import { readFile } from 'node:fs/promises';
import { allProcesses, type ProcessTimes } from './cpu-time';

/** Resident memory of one process. Linux only; what it shares with others counts in full. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) * 1024;
}

/** With all its descendants; what ends while it is read counts as nothing. */
export async function residentTreeBytes(root: number): Promise<number> {
  const pids = treeOf(await allProcesses(), root);
  const each = await Promise.all(pids.map((pid) => residentBytes(pid).catch(() => 0)));
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

function treeOf(processes: readonly ProcessTimes[], root: number): number[] {
  const children = processes.filter(({ parent }) => parent === root);
  return [root, ...children.flatMap(({ pid }) => treeOf(processes, pid))];
}
