import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rmdir, symlink, writeFile, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeFolder } from '../remove-folder';
import { canReach, type UnprivilegedUser } from './unprivileged-user';
import { isRunning, processIdentity } from '../process-identity';

/** Parent of root's data folder if Postgres' user can't reach the repository. */
const ELSEWHERE = '/var/lib/voice-agent-platform';

/** Marks a folder that this stack created or found empty, so `clean` can remove it completely. */
const MARKER = '.voice-agent-platform-data';

/** Entries that the local stack and the platform create in a data folder. */
const ENTRIES = [
  'postgres',
  'temporal',
  'redis',
  'logs',
  'run',
  'files',
  'mail',
  'secrets.json',
  'livekit.json',
  'platform.env',
];

export type DataFolder = {
  path: string;
  /** Postgres' data. `<path>/postgres` is this folder or a link to it. */
  postgres: string;
  /** Shown to the user if the data isn't where they would expect it. */
  note: string | null;
};

type DataFolderChoice = {
  repository: string;
  /** Value of DATA_DIR. */
  configured: string | undefined;
  user: UnprivilegedUser | null;
  elsewhere?: string;
};

/**
 * Chooses and creates the folder for all data: DATA_DIR, or `.data` in the repository. As root, if Postgres' user can't reach `.data`, all
 * data goes to a folder below /var/lib. With DATA_DIR, only Postgres' data goes there, and `postgres` becomes a link to it.
 */
export async function dataFolder(choice: DataFolderChoice): Promise<DataFolder> {
  const { user, configured } = choice;
  const wanted = wantedFolder(choice);
  await makeFolder(wanted, user);
  if (await canReach(user, wanted)) return prepare(wanted, user, null);

  const other = otherFolder(choice);
  if (configured) {
    const note = `Postgres keeps its data in ${other}, because its user ${user?.name} cannot reach ${wanted}`;
    return prepare(wanted, user, note, join(other, 'postgres'));
  }
  await rmdir(wanted).catch(() => {});
  await makeFolder(other, user);
  return prepare(
    other,
    user,
    `data is kept in ${other}, because Postgres' user ${user?.name} cannot reach ${wanted}`,
  );
}

function wantedFolder({ configured, repository }: DataFolderChoice): string {
  return configured ? resolve(configured) : join(repository, '.data');
}

function otherFolder(choice: DataFolderChoice): string {
  const hash = createHash('sha256').update(wantedFolder(choice)).digest('hex').slice(0, 12);
  return join(choice.elsewhere ?? ELSEWHERE, hash);
}

/** Only this user can open the folder. As root, also lets the user of Postgres pass through. */
async function makeFolder(path: string, user: UnprivilegedUser | null): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined || user === null) return;
  // The umask doesn't affect chmod, which is called for each new folder.
  for (let made = path; made.startsWith(first); made = dirname(made)) await chmod(made, 0o711);
}

async function prepare(
  path: string,
  user: UnprivilegedUser | null,
  note: string | null,
  postgresElsewhere?: string,
): Promise<DataFolder> {
  if ((await readdir(path)).length === 0) await writeFile(join(path, MARKER), '');
  const postgres = join(path, 'postgres');
  if (postgresElsewhere !== undefined && !(await exists(postgres))) {
    // The user removed DATA_DIR and thereby the link, so the database that belonged to it is removed too.
    await removeFolder(postgresElsewhere);
    await makeFolder(postgresElsewhere, user);
    await symlink(postgresElsewhere, postgres);
  }
  await Promise.all(['logs', 'run'].map((name) => mkdir(join(path, name), { recursive: true, mode: 0o700 })));
  return { path, postgres: postgresElsewhere ?? postgres, note };
}

/** Returns all paths that can be removed, in every place where `dataFolder` may have put data. */
export async function removableData(choice: Omit<DataFolderChoice, 'user'>): Promise<string[]> {
  const places = [wantedFolder({ ...choice, user: null }), otherFolder({ ...choice, user: null })];
  const removable: string[] = [];
  for (const place of places) {
    if (!(await exists(place))) continue;
    const isOurs = place === places[1] || (await exists(join(place, MARKER)));
    const paths = isOurs ? [place] : ENTRIES.map((name) => join(place, name));
    for (const path of paths) if (await exists(path)) removable.push(path);
  }
  return removable;
}

/** Returns the folders that `dataFolder` may choose, to check whether a stack is using one of them. */
export function possibleDataFolders(choice: Omit<DataFolderChoice, 'user'>): string[] {
  return [wantedFolder({ ...choice, user: null }), otherFolder({ ...choice, user: null })];
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The pid file of one of our processes. After a crash of the stack, the next start uses it to stop the process. */
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
  await rejectIfInUse(folder);
  await rm(file, { force: true });
  // If two stacks start at the same moment, the second one fails here because the file exists.
  await writePidFile(file, process.pid, 'SIGTERM', 'wx').catch(async (error: unknown) => {
    await rejectIfInUse(folder);
    throw error;
  });
  await stopLeftOvers(runFolder);
  return () => rm(file, { force: true });
}

export async function rejectIfInUse(folder: string): Promise<void> {
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
