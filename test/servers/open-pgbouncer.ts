import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { publish } from './published';

/** Debian's is where only root looks for programs. */
const PLACES = ['pgbouncer', '/usr/sbin/pgbouncer'];

/** Found here, and started by the tests that need it, each before a database of its own. */
export async function openPgbouncer(): Promise<void> {
  const configured = process.env.PGBOUNCER_PATH;
  for (const path of configured === undefined ? PLACES : [configured]) {
    const found = await promisify(execFile)(path, ['--version']).catch(() => null);
    if (found?.stdout.startsWith('PgBouncer ') !== true) continue;
    publish('TEST_PGBOUNCER', path);
    return;
  }
  const remedy = 'Install it (Debian: apt-get install pgbouncer), or name one as PGBOUNCER_PATH.';
  publish('TEST_MISSING_pgbouncer', `No PgBouncer was found. ${remedy}`);
}
