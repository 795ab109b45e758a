import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../remove-folder';
import { commandLine } from '../process-identity';
import { runOrFail } from '../toolchain/run';
import type { PostgresBinaries } from './postgres-binaries';
import type { UnprivilegedUser } from './unprivileged-user';

export const SUPERUSER = 'platform';

export type Cluster = { folder: string; password: string };

/**
 * Returns the database cluster in `dataDir`. Creates it on first use with UTF-8, the builtin locale C.UTF-8 (as in Compose) and a random
 * password. An interrupted creation starts over.
 */
export async function cluster(options: {
  dataDir: string;
  binaries: PostgresBinaries;
  user: UnprivilegedUser | null;
  /** False for temporary data that needs no fsync. */
  durable: boolean;
}): Promise<Cluster> {
  const { dataDir, binaries } = options;
  const folder = join(dataDir, 'cluster');
  const passwordFile = join(dataDir, 'password');
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null) {
    await makeCluster({ ...options, folder, passwordFile });
  } else if (version.trim() !== binaries.version.split('.')[0]) {
    throw new Error(
      `the data in ${dataDir} was created by Postgres ${version.trim()}, but this is ${binaries.version}: ` +
        'remove it ("npm run clean") or set DATA_DIR to another folder',
    );
  }
  return { folder, password: (await readFile(passwordFile, 'utf8')).trim() };
}

async function makeCluster(options: {
  dataDir: string;
  folder: string;
  passwordFile: string;
  binaries: PostgresBinaries;
  user: UnprivilegedUser | null;
  durable: boolean;
}): Promise<void> {
  const { dataDir, folder, passwordFile, user } = options;
  const unfinished = join(dataDir, 'cluster.new');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await removeFolder(unfinished);
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (user !== null) {
    await Promise.all([dataDir, unfinished, passwordFile].map((path) => chown(path, user.uid, user.gid)));
    await chmod(dataDir, 0o700);
  }
  await runOrFail({
    command: options.binaries.initdb,
    args: [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(options.durable ? [] : ['--no-sync']),
    ],
    timeoutMs: 120_000,
    cwd: dataDir,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    ...(user ? { user: { uid: user.uid, gid: user.gid } } : {}),
  });
  await rename(unfinished, folder);
}

/**
 * Removes a postmaster.pid whose process is gone or whose pid now belongs to another program, for example after a reboot. Otherwise
 * Postgres would refuse to start. Throws if the server is still running.
 */
export async function removeStalePidFile(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return;
  const pid = Math.abs(Number(text.split('\n', 1)[0]));
  const command = Number.isInteger(pid) && pid > 0 ? await commandLine(pid) : null;
  if (command?.includes('postgres') && command.includes(folder)) {
    throw new Error(`a Postgres server (process ${pid}) is already running on ${folder}`);
  }
  await rm(file, { force: true });
}
