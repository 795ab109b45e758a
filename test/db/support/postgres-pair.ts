/** Starts a Postgres server and a standby that streams from it, over a link that a test can cut. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { migrate } from '../../../db/migrate';
import { silent } from '../../../dev/progress';
import {
  query,
  startPostgres,
  type PostgresSettings,
  type RunningPostgres,
  SUPERUSER,
} from '../../../dev/stack/postgres';
import { unprivilegedUser, type UnprivilegedUser } from '../../../dev/stack/unprivileged-user';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { cacheFolder } from '../../../dev/toolchain/cache-folder';
import { runOrFail } from '../../../dev/toolchain/run';
import { published } from '../../servers/published';
import { eventuallyTrue } from '../../stack/support/eventually';
import { PostgresProxy } from './postgres-proxy';

const WITHIN_MS = 60_000;

/** Replication settings. They skip fsync, because the tests only kill processes and never cut the power. */
const REPLICATING: PostgresSettings = { wal_level: 'replica', max_wal_senders: 4, fsync: 'off' };

const SYNCHRONOUS: PostgresSettings = { synchronous_commit: 'on', synchronous_standby_names: 'standby' };

export class PostgresPair {
  private constructor(
    private readonly primary: RunningPostgres,
    private readonly standby: RunningPostgres,
    private readonly link: PostgresProxy,
    private readonly end: () => Promise<void>,
  ) {}

  /** Starts both servers with the newest schema. With `isSynchronous`, the primary acknowledges a write only after the standby has it. */
  static async open({ isSynchronous }: { isSynchronous: boolean }): Promise<PostgresPair> {
    const folder = join(published('TEST_SERVERS_FOLDER'), `pair-${randomBytes(4).toString('hex')}`);
    await mkdir(folder, { mode: 0o755 });
    const user = await unprivilegedUser();
    const watchdog = startWatchdog();
    const closing: (() => Promise<unknown>)[] = [
      () => removeFolder(folder),
      () => Promise.resolve(watchdog.stop()),
    ];
    const end = async (): Promise<void> => {
      for (const close of closing.splice(0).reverse()) await close();
    };
    const start = async (name: string, settings: PostgresSettings): Promise<RunningPostgres> => {
      const own = join(folder, name);
      const postgres = await startPostgres({
        dataDir: join(own, 'data'),
        port: 0,
        user,
        cacheFolder: cacheFolder(process.env),
        supervision: { logFolder: own, runFolder: own, watchdog },
        onProgress: silent,
        settings: { ...REPLICATING, ...settings },
      });
      closing.push(postgres.stop);
      return postgres;
    };
    try {
      await mkdir(join(folder, 'primary'), { mode: 0o755 });
      const first = await start('primary', {});
      await migrate(first.url);
      // Copies a stopped server instead of a base backup, because the package lacks that program.
      await first.stop();
      await copyAsStandby(folder, user);
      const primary = await start('primary', isSynchronous ? SYNCHRONOUS : {});
      const link = await PostgresProxy.open(primary.url);
      closing.push(() => Promise.resolve(link.close()));
      const standby = await start('standby', { primary_conninfo: await connectionTo(link, folder) });
      const pair = new PostgresPair(primary, standby, link, end);
      await pair.untilStreaming(isSynchronous ? 'sync' : 'async');
      return pair;
    } catch (error) {
      await end();
      throw error;
    }
  }

  get url(): string {
    return this.primary.url;
  }

  /** Cuts the link, so that no later write reaches the standby. */
  cutLink(): void {
    this.link.close();
  }

  /** Waits until everything written so far is on the standby. */
  async untilCaughtUp(): Promise<void> {
    const { rows } = await query(this.primary.url, (db) =>
      db.query('select pg_current_wal_flush_lsn() as lsn'),
    );
    await eventuallyTrue(WITHIN_MS, 'the standby has caught up', async () => {
      const reached = await query(this.standby.url, (db) =>
        db.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as yes', [rows[0].lsn]),
      );
      return reached.rows[0].yes === true;
    });
  }

  /** Kills the primary, promotes the standby and returns its address. */
  async failOver(): Promise<string> {
    await this.primary.process.kill();
    await query(this.standby.url, (db) => db.query('select pg_promote(true, 60)'));
    return this.standby.url;
  }

  close(): Promise<void> {
    return this.end();
  }

  private untilStreaming(syncState: 'sync' | 'async'): Promise<void> {
    return eventuallyTrue(WITHIN_MS, 'the standby streams', async () => {
      const { rows } = await query(this.primary.url, (db) =>
        db.query(`select 1 from pg_stat_replication where state = 'streaming' and sync_state = $1`, [
          syncState,
        ]),
      );
      return rows.length === 1;
    });
  }
}

/** Copies files with their owners, which are not root. */
async function copyAsStandby(folder: string, user: UnprivilegedUser | null): Promise<void> {
  const standby = join(folder, 'standby');
  await mkdir(standby, { mode: 0o755 });
  await runOrFail({
    command: 'cp',
    args: ['-a', join(folder, 'primary', 'data'), join(standby, 'data')],
    timeoutMs: WITHIN_MS,
  });
  await runOrFail({
    command: 'touch',
    args: [join(standby, 'data', 'cluster', 'standby.signal')],
    cwd: '/',
    timeoutMs: WITHIN_MS,
    ...(user && { user: { uid: user.uid, gid: user.gid } }),
  });
}

async function connectionTo({ url }: PostgresProxy, folder: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const password = (await readFile(join(folder, 'primary', 'data', 'password'), 'utf8')).trim();
  return `host=${hostname} port=${port} user=${SUPERUSER} password=${password} application_name=standby`;
}
