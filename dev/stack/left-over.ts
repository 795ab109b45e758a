import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, processIdentity } from '../process-identity';

/** Exists while one of our processes runs. If the stack dies, a later start uses it to stop that process. */
type PidFile = { pid: number; identity: string; stopSignal: 'SIGTERM' | 'SIGINT' };

export async function writePidFile(
  file: string,
  pid: number,
  stopSignal: 'SIGTERM' | 'SIGINT',
  flag: 'w' | 'wx' = 'w',
): Promise<void> {
  const identity = await processIdentity(pid);
  if (identity === null) return;
  await writeFile(file, JSON.stringify({ pid, identity, stopSignal } satisfies PidFile), {
    mode: 0o600,
    flag,
  });
}

/** Another stack is using the same data folder. */
export class DataFolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(
      `${folder} is in use by process ${pid}, which runs a platform on it: stop that process first, ` +
        'or set DATA_DIR to another folder',
    );
    this.name = 'DataFolderInUse';
  }
}

const OWNER = 'owner.pid';

/**
 * Makes this process the owner of the data folder and stops processes that a dead owner left running. Rejects with `DataFolderInUse` while
 * another owner is alive.
 */
export async function claimDataFolder(folder: string): Promise<() => Promise<void>> {
  const runFolder = join(folder, 'run');
  const file = join(runFolder, OWNER);
  await mkdir(runFolder, { recursive: true });
  await refuseIfInUse(folder);
  await rm(file, { force: true });
  // If two stacks start at the same moment, the second one fails here because the file exists.
  await writePidFile(file, process.pid, 'SIGTERM', 'wx').catch(async (error: unknown) => {
    await refuseIfInUse(folder);
    throw error;
  });
  await stopLeftOvers(runFolder);
  return () => rm(file, { force: true });
}

export async function refuseIfInUse(folder: string): Promise<void> {
  const owner = await readPidFile(join(folder, 'run', OWNER));
  if (owner === null) return;
  if (await isRunning(owner.pid, owner.identity)) throw new DataFolderInUse(folder, owner.pid);
}

/** Stops each process named by a pid file in the folder, if its identity matches. */
export async function stopLeftOvers(runFolder: string, graceMs = 8000): Promise<void> {
  const names = (await readdir(runFolder)).filter((name) => name.endsWith('.pid') && name !== OWNER);
  await Promise.all(
    names.map(async (name) => {
      const file = join(runFolder, name);
      const left = await readPidFile(file);
      if (left !== null) await stopIfOurs(left, graceMs);
      await rm(file, { force: true });
    }),
  );
}

async function stopIfOurs(left: PidFile, graceMs: number): Promise<void> {
  const alive = () => isRunning(left.pid, left.identity);
  if (!(await alive())) return;
  process.kill(left.pid, left.stopSignal);
  const deadline = Date.now() + graceMs;
  while (await alive()) {
    if (Date.now() > deadline) {
      process.kill(left.pid, 'SIGKILL');
      return;
    }
    await delay(50);
  }
}

async function readPidFile(file: string): Promise<PidFile | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const match = /^\{"pid":(\d+),"identity":"([^"]*)","stopSignal":"(SIGTERM|SIGINT)"\}$/.exec(text);
  if (match === null) return null;
  return {
    pid: Number(match[1]),
    identity: match[2] ?? '',
    stopSignal: match[3] === 'SIGINT' ? 'SIGINT' : 'SIGTERM',
  };
}
