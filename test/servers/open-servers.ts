import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../dev/remove-folder';
import { printProgress, type OnProgress } from '../../dev/progress';
import { ClosingOrder } from '../../dev/stack/closing';
import type { Supervision } from '../../dev/stack/processes';
import { canReach, unprivilegedUser, type UnprivilegedUser } from '../../dev/stack/unprivileged-user';
import { startWatchdog } from '../../dev/stack/watchdog';
import { openBundle } from './open-bundle';
import { openChromium } from './open-chromium';
import { openLivekit } from './open-livekit';
import { openMypy } from './open-mypy';
import { openPgbouncer } from './open-pgbouncer';
import { openPostgres } from './open-postgres';
import { openPython } from './open-python';
import { openS3 } from './open-s3';
import { openTemporal, openTemporalServer, openTimeSkipping } from './open-temporal';
import { publish, publishedOrNull, type ServerKind } from './published';

type Need = 'bundle' | ServerKind;
type Layer = 'db' | 'workflows' | 'api' | 'api-long' | 'stack' | 'stack-long' | 'sip' | 'console';

const NEEDS: Record<Layer, Need[]> = {
  db: ['postgres'],
  workflows: ['postgres', 'time-skipping', 'bundle'],
  api: ['postgres', 'python'],
  'api-long': ['postgres', 'python', 'mypy', 's3', 'pgbouncer'],
  stack: ['postgres', 'temporal'],
  'stack-long': [
    'postgres',
    'temporal',
    'livekit',
    'chromium',
    'bundle',
    'python',
    's3',
    'pgbouncer',
    'temporal-server',
  ],
  sip: ['postgres', 'temporal', 'livekit'],
  console: ['postgres', 'chromium'],
};

export type Run = {
  /** Temporary folder that Postgres's user can reach. Removed at the end. */
  folder: string;
  user: UnprivilegedUser | null;
  closing: ClosingOrder;
  supervision: Supervision;
  onProgress: OnProgress;
  opened: Map<Need, Promise<void>>;
};

/** Jest loads each layer's setup and teardown as separate modules, so they share state through a global. */
const KEY = Symbol.for('voice-agent-platform.test-run');
const shared = globalThis as { [KEY]?: Promise<Run> | undefined };

/** Opens the servers of a layer, except those that an earlier layer of the run has opened. */
export async function openServers(layer: Layer): Promise<void> {
  shared[KEY] ??= beginRun();
  const run = await shared[KEY];
  const open = (need: Need) => {
    const opening = run.opened.get(need) ?? opener(need)(run);
    run.opened.set(need, opening);
    return opening;
  };
  await Promise.all(NEEDS[layer].map(open));
}

/**
 * Opens the servers of a layer whose run is meaningless if one is missing.
 * @throws Error that names each missing server and how to install it
 */
export async function requireServers(layer: Layer): Promise<void> {
  await openServers(layer);
  const missing = NEEDS[layer].flatMap((need) =>
    need === 'bundle' ? [] : (publishedOrNull(`TEST_MISSING_${need}`) ?? []),
  );
  if (missing.length === 0) return;
  await closeServers();
  throw new Error(missing.join('\n\n'));
}

export async function closeServers(): Promise<void> {
  const run = await shared[KEY];
  shared[KEY] = undefined;
  await run?.closing.close();
}

function opener(need: Need): (run: Run) => Promise<void> {
  switch (need) {
    case 'postgres':
      return openPostgres;
    case 'temporal':
      return openTemporal;
    case 'temporal-server':
      return openTemporalServer;
    case 'time-skipping':
      return openTimeSkipping;
    case 'livekit':
      return openLivekit;
    case 'chromium':
      return openChromium;
    case 'bundle':
      return openBundle;
    case 'python':
      return openPython;
    case 'mypy':
      return openMypy;
    case 's3':
      return openS3;
    case 'pgbouncer':
      return openPgbouncer;
  }
}

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1024 ** 3;

async function hasRoom(folder: string): Promise<boolean> {
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= MIN_FREE_BYTES;
}

async function beginRun(): Promise<Run> {
  const closing = new ClosingOrder();
  const user = await unprivilegedUser();
  const folder = await temporaryFolder(user);
  closing.add('the temporary folder', () => removeFolder(folder));
  const watchdog = startWatchdog(folder);
  closing.add('the watchdog', () => Promise.resolve(watchdog.stop()));
  publish('TEST_SERVERS_FOLDER', folder);
  const supervision = { logFolder: folder, runFolder: folder, watchdog };
  const onProgress = printProgress(process.stderr);
  return { folder, user, closing, supervision, onProgress, opened: new Map() };
}

/** Prefers a large file system in memory, where Postgres takes a third less processor time because databases are created and dropped there. */
async function temporaryFolder(user: UnprivilegedUser | null): Promise<string> {
  const inMemory = (await hasRoom(MEMORY_FOLDER)) ? [MEMORY_FOLDER] : [];
  for (const parent of [...inMemory, tmpdir(), '/tmp', '/var/tmp']) {
    const folder = await mkdtemp(join(parent, 'voice-agent-platform-test-'));
    if (user === null) return folder;
    await chmod(folder, 0o755);
    if (await canReach(user, folder)) return folder;
    await removeFolder(folder);
  }
  throw new Error(
    `the user ${user?.name ?? ''} can reach no temporary folder: set TMPDIR to one that it can reach`,
  );
}
