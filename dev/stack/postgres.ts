import { Client } from 'pg';
import { during, type OnProgress } from '../progress';
import { freePort, releasePort } from './ports';
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries';
import { cluster, removeStalePidFile, SUPERUSER, type Cluster } from './postgres-cluster';
import { RunningProcess, type Supervision } from './processes';
import type { UnprivilegedUser } from './unprivileged-user';
import { withinTime } from './wait-until';

export type PostgresSettings = Record<string, string | number>;

export type PostgresOptions = {
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
      // Long, because crash recovery may read up to max_wal_size.
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
