import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../db/kernel/error-code';
import { isRunning, processIdentity } from '../process-identity';

type Holder = { pid: number; identity: string };

/**
 * Runs `work` while holding the lock file, so that no other process runs it at the same time. Takes over the lock of a dead process.
 * Rejects if the lock isn't free within `timeoutMs`.
 */
export async function withLock<T>(
  file: string,
  { timeoutMs, onWait }: { timeoutMs: number; onWait: () => void },
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let waits = 0; !(await take(file)); waits += 1) {
    if (waits === 0) onWait();
    if (Date.now() > deadline) throw new Error(`another process has held ${file} for too long`);
    await delay(200);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  const identity = (await processIdentity(process.pid)) ?? '';
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(JSON.stringify({ pid: process.pid, identity } satisfies Holder));
    await handle.close();
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  if (await isAbandoned(file)) await rm(file, { force: true });
  return false;
}

async function isAbandoned(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const holder = /"pid":(\d+),"identity":"([^"]*)"/.exec(text);
  // If the file is empty, its holder has created it but not written it yet.
  if (holder === null) return false;
  return !(await isRunning(Number(holder[1]), holder[2] ?? ''));
}
