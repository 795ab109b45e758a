/** A PgBouncer in transaction mode before a test's database, with two connections to lend. */
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, releasePort } from '../../../dev/stack/ports';
import { RunningProcess } from '../../../dev/stack/processes';
import { unprivilegedUser } from '../../../dev/stack/unprivileged-user';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { published } from '../../servers/published';

export const LENT_CONNECTIONS = 2;
const READY_WITHIN_MS = 30_000;

export interface Pgbouncer {
  /** Of the same database, through it. */
  url: string;
  close: () => Promise<void>;
}

export async function startPgbouncer(databaseUrl: string): Promise<Pgbouncer> {
  const folder = published('TEST_SERVERS_FOLDER');
  const port = await freePort(6_500);
  const { hostname, port: postgresPort, username, password, pathname } = new URL(databaseUrl);
  const configuration = join(folder, `pgbouncer-${port}.ini`);
  const login = `host=${hostname} port=${postgresPort} user=${username} password=${password}`;
  const settings = [
    `[databases]\n* = ${login}`,
    `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any`,
    `pool_mode = transaction\ndefault_pool_size = ${LENT_CONNECTIONS}\nmax_client_conn = 200`,
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
      // It does not run as root.
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
