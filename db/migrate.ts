/** `npm run migrate`: brings the database of DATABASE_URL to the newest schema. Safe to run again, and by several processes at once. */
import type { Knex } from 'knex';
import { applyFunctions, type AppliedFunctions } from './apply-functions';
import { openDatabase, type Db } from './connection';
import { FUNCTIONS_FOLDER, readFunctionFiles } from './function-files';
import { migrationSource } from './migrations';
import { onlyRow, rows } from './query';

/** Of the advisory lock, which is the database's own. */
const LOCK = 0x6d696772;

export interface Migrated extends AppliedFunctions {
  /** Names of the migrations that were applied. */
  migrations: string[];
}

export interface MigrateOptions {
  migrations?: Knex.MigrationSource<string>;
  functionsFolder?: string;
  /** Another process migrates the database: this one waits for it. */
  onWait?: () => void;
}

/**
 * Migrations, then functions, in one transaction under one lock, which ends with the connection: a process that is killed leaves nothing half
 * done and nothing to remove by hand. (The lock of knex itself is a row, written in the same transaction.)
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<Migrated> {
  const { migrations = migrationSource, functionsFolder = FUNCTIONS_FOLDER, onWait } = options;
  const files = await readFunctionFiles(functionsFolder);
  const db = openDatabase({
    url: databaseUrl,
    poolSize: 1,
    timeoutMs: 10_000,
    statementTimeoutMs: 0,
    applicationName: 'migrate',
  });
  try {
    return await db.transaction(async (trx) => {
      await waitForTurn(trx, onWait);
      await refuseUnknownMigrations(trx, await migrations.getMigrations([]));
      const [, applied] = (await trx.migrate.latest({ migrationSource: migrations })) as [number, string[]];
      return { migrations: applied, ...(await applyFunctions(trx, files)) };
    });
  } finally {
    await db.destroy();
  }
}

/** However long another process takes. */
async function waitForTurn(trx: Db, onWait: () => void = () => undefined): Promise<void> {
  const { isFree } = await onlyRow<{ isFree: boolean }>(
    trx,
    'select pg_try_advisory_xact_lock(:lock) as "isFree"',
    { lock: LOCK },
  );
  if (!isFree) {
    onWait();
    await rows(trx, 'select pg_advisory_xact_lock(:lock)', { lock: LOCK });
  }
  // A table that a long transaction holds, such as a backup's: everything else would queue behind us, and calls with it.
  await trx.raw(`set local lock_timeout = '5s'`);
}

async function refuseUnknownMigrations(trx: Db, known: readonly string[]): Promise<void> {
  const { exists } = await onlyRow<{ exists: boolean }>(
    trx,
    `select to_regclass('knex_migrations') is not null as exists`,
  );
  if (!exists) return;
  const recorded = await rows<{ name: string }>(trx, 'select name from knex_migrations order by id');
  const [first, ...others] = recorded.map(({ name }) => name).filter((name) => !known.includes(name));
  if (first === undefined) return;
  throw new Error(
    `the database is newer than this version of the platform, which does not know its migration ${first}` +
      `${others.length === 0 ? '' : ` and ${others.length} more`}: run the version that migrated it, or a later one ` +
      '(one from before the first release cannot be upgraded: begin with an empty database)',
  );
}

function report({ migrations, applied, dropped }: Migrated): string {
  const lines = [
    ...(migrations.length > 0 ? [`Applied the migrations ${migrations.join(', ')}.`] : []),
    ...(applied.length > 0 ? [`Applied ${applied.length} functions: ${applied.join(', ')}.`] : []),
    ...(dropped.length > 0 ? [`Dropped the functions ${dropped.join(', ')}.`] : []),
  ];
  return lines.length > 0 ? lines.join('\n') : 'The schema is up to date.';
}

async function main(): Promise<void> {
  const url = process.env.DATABASE_URL;
  if (url === undefined || url === '') {
    throw new Error('DATABASE_URL is not set: postgres://<user>:<password>@<host>:<port>/<database>');
  }
  console.log(
    report(
      await migrate(url, { onWait: () => console.log('Another process migrates the database: waiting.') }),
    ),
  );
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
