import { Client } from 'pg';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { during, type OnProgress } from '../progress';
import { freePort, releasePort } from './ports';
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries';
import { RunningProcess, type Supervision } from './processes';
import type { UnprivilegedUser } from './unprivileged-user';
import { withinTime } from './wait-until';
import { removeFolder } from '../remove-folder';
import { commandLine } from '../process-identity';
import { runOrFail } from '../toolchain/run';

export type PostgresSettings = Record<string, string | number>;

type PostgresOptions = {
  /** Holds the cluster and its password; created if absent. */
  dataDir: string;
  /** First port to try; 0 takes any. */
  port: number;
  user: UnprivilegedUser | null;
  cacheFolder: string;
  supervision: Supervision;
  onProgress: OnProgress;
  /** Server settings that override the defaults, such as `{fsync: 'off'}` for temporary data. */
  settings?: PostgresSettings;
  nativeFolder?: string;
};

export type RunningPostgres = {
  /** URL of the `platform` database, including the password. */
  url: string;
  port: number;
  hasStatementStatistics: boolean;
  process: RunningProcess;
  /** Writes a checkpoint, cuts open connections and stops the server. */
  stop: () => Promise<void>;
};

const DATABASE = 'platform';

/**
 * Defaults that let Postgres start quickly and use little memory without risking acknowledged data: fsync, full_page_writes and
 * synchronous_commit keep their defaults. wal_level can be minimal because there is no replication.
 */
const DEFAULTS: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '128MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // More detailed errors would quote rows.
  log_error_verbosity: 'terse',
};

/**
 * Starts the packaged Postgres on 127.0.0.1, creates its cluster on first use, and resolves once Postgres accepts queries. As root, runs
 * Postgres as `user`. Also recovers from a kill -9.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { user, dataDir, onProgress } = options;
  const settings = { ...DEFAULTS, ...options.settings };
  return during(onProgress, 'starting Postgres', async () => {
    const binaries = await postgresBinaries(options);
    const made = await cluster({ dataDir, binaries, user, durable: settings.fsync !== 'off' });
    const port = await freePort(options.port);
    const url = (database: string) =>
      `postgres://${SUPERUSER}:${made.password}@127.0.0.1:${port}/${database}`;
    const server = serverProcess({ ...options, binaries, made, port, settings, adminUrl: url('postgres') });
    const stop = async () => {
      await server.stop();
      releasePort(port);
    };
    try {
      await server.start();
      await ensureDatabase(url('postgres'), DATABASE);
    } catch (error) {
      await stop();
      throw error;
    }
    const { hasStatementStatistics } = binaries;
    return { url: url(DATABASE), port, hasStatementStatistics, process: server, stop };
  });
}

function serverProcess(
  options: PostgresOptions & {
    binaries: PostgresBinaries;
    made: Cluster;
    port: number;
    settings: PostgresSettings;
    adminUrl: string;
  },
): RunningProcess {
  const { binaries, made, port } = options;
  const settings = {
    ...(binaries.hasStatementStatistics ? { shared_preload_libraries: 'pg_stat_statements' } : {}),
    ...options.settings,
    port,
  };
  return new RunningProcess(
    {
      name: 'postgres',
      command: binaries.postgres,
      args: [
        '-D',
        made.folder,
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      cwd: made.folder,
      user: options.user,
      prepare: () => removeStalePidFile(made.folder),
      ready: () => takesQueries(options.adminUrl),
      // Crash recovery may read up to max_wal_size.
      readyTimeoutMs: 60_000,
      stopSignal: 'SIGINT',
      graceMs: 15_000,
    },
    options.supervision,
  );
}

async function takesQueries(url: string): Promise<boolean> {
  await query(url, (client) => client.query('select 1'));
  return true;
}

/** Creates a database in the cluster unless it exists. `url` can point to any other database of the cluster. */
export async function ensureDatabase(url: string, name: string): Promise<{ made: boolean }> {
  return query(url, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
    return { made: rowCount === 0 };
  });
}

/** Opens a connection for one operation. Every step has a time limit, because the server may hang. */
export async function query<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 60_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await withinTime(client.end(), 5000).catch(() => {});
  }
}

export const SUPERUSER = 'platform';

type Cluster = { folder: string; password: string };

/**
 * Returns the database cluster in `dataDir`. Creates it on first use with UTF-8, the builtin locale C.UTF-8 (as in Compose) and a random
 * password. An interrupted creation starts over.
 */
async function cluster(options: {
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
 * Removes a postmaster.pid whose process has ended, because Postgres would not start. The pid may belong to another program, for example
 * after a reboot. Throws if the server is still running.
 */
async function removeStalePidFile(folder: string): Promise<void> {
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
