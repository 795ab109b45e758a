import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { publish } from './published';

/** Debian installs it into a folder that is only on root's PATH. */
const PLACES = ['pgbouncer', '/usr/sbin/pgbouncer'];

/** Only locates PgBouncer. Tests that need it start one in front of their own database. */
export async function openPgbouncer(): Promise<void> {
  const configured = process.env.PGBOUNCER_PATH;
  for (const path of configured === undefined ? PLACES : [configured]) {
    const found = await promisify(execFile)(path, ['--version']).catch(() => null);
    if (found?.stdout.startsWith('PgBouncer ') !== true) continue;
    publish('TEST_PGBOUNCER', path);
    return;
  }
  const remedy = 'Install it (Debian: apt-get install pgbouncer), or set PGBOUNCER_PATH to the program.';
  publish('TEST_MISSING_pgbouncer', `PgBouncer was not found. ${remedy}`);
}
