/** Runs a PgBouncer in transaction mode in front of a test's database. */
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Db } from '../../db/kernel/connection';
import { rows } from '../../db/kernel/query';
import { freePort, releasePort } from '../../dev/stack/ports';
import { RunningProcess } from '../../dev/stack/processes';
import { unprivilegedUser } from '../../dev/stack/unprivileged-user';
import { startWatchdog } from '../../dev/stack/watchdog';
import { published } from './published';

const READY_WITHIN_MS = 30_000;

export interface Pgbouncer {
  /** URL of the same database through PgBouncer. */
  url: string;
  close: () => Promise<void>;
}

/** Starts PgBouncer with this many server connections. */
export async function startPgbouncer(databaseUrl: string, lentConnections: number): Promise<Pgbouncer> {
  const folder = published('TEST_SERVERS_FOLDER');
  const port = await freePort(0);
  const { hostname, port: postgresPort, username, password, pathname } = new URL(databaseUrl);
  const configuration = join(folder, `pgbouncer-${port}.ini`);
  const login = `host=${hostname} port=${postgresPort} user=${username} password=${password}`;
  const settings = [
    `[databases]\n* = ${login}`,
    `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any`,
    `pool_mode = transaction\ndefault_pool_size = ${lentConnections}\nmax_client_conn = 200`,
    // Appends the client's address to the application name, which marks pooled connections.
    'application_name_add_host = 1',
  ];
  await writeFile(configuration, `${settings.join('\n')}\n`, { mode: 0o644 });
  const watchdog = startWatchdog();
  const process_ = new RunningProcess(
    {
      name: `pgbouncer-${port}`,
      command: published('TEST_PGBOUNCER'),
      args: [configuration],
      cwd: folder,
      env: { PATH: process.env.PATH },
      // PgBouncer doesn't run as root.
      user: await unprivilegedUser(),
      ready: () => accepts(port),
      readyTimeoutMs: READY_WITHIN_MS,
    },
    { logFolder: folder, runFolder: folder, watchdog },
  );
  await process_.start();
  return {
    url: `postgres://anybody@127.0.0.1:${port}${pathname}`,
    close: async () => {
      await process_.stop();
      watchdog.stop();
      releasePort(port);
    },
  };
}

export interface DatabaseUsers {
  /** Application names of clients connected directly to Postgres, without duplicates. */
  direct: string[];
  /** Application names of the clients that last used a pooled connection, without duplicates. */
  pooled: string[];
  lentConnections: number;
}

/** Returns the clients of this database, except for this connection. */
export async function databaseUsers(direct: Db): Promise<DatabaseUsers> {
  const of = `select application_name as name from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
      and application_name <> current_setting('application_name')
      -- A pooled connection that has run nothing yet has no name.
      and query <> ''`;
  const names = (await rows<{ name: string }>(direct, of)).map(({ name }) => name);
  const lent = names.filter((name) => MARKED.test(name));
  const distinct = (all: readonly string[]): string[] => [...new Set(all)].sort();
  return {
    direct: distinct(names.filter((name) => !MARKED.test(name))),
    pooled: distinct(lent.map((name) => name.replace(MARKED, ''))),
    lentConnections: lent.length,
  };
}

/** Matches the client address that PgBouncer appends to the application name. */
const MARKED = / - 127\.0\.0\.1:\d+$/;

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
