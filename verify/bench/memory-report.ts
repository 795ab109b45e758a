import { readFile, rm } from 'node:fs/promises';
import { valueAt } from '../../domain/json';
import { waitUntil } from '../../dev/stack/wait-until';
import type { MemoryReport } from './memory-probe';

const ANSWER_WITHIN_MS = 10_000;

/** Of a process that was started with the probe, which writes into the file. `who` names it in messages. */
export async function askForMemory(who: string, pid: number, file: string): Promise<MemoryReport> {
  await rm(file, { force: true });
  process.kill(pid, 'SIGCONT');
  const written = async () => (await readFile(file, 'utf8')).endsWith('}');
  await waitUntil({ what: `the memory report of ${who}`, check: written, timeoutMs: ANSWER_WITHIN_MS });
  return readReport(JSON.parse(await readFile(file, 'utf8')));
}

function readReport(value: unknown): MemoryReport {
  const bytes = (name: keyof MemoryReport): number => Number(valueAt(value, name) ?? NaN);
  return {
    rssBytes: bytes('rssBytes'),
    mainHeapBytes: bytes('mainHeapBytes'),
    threadHeapBytes: bytes('threadHeapBytes'),
  };
}
