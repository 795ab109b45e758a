/**
 * `npm run migrate` migrates the database at DATABASE_URL to the newest schema. It can be repeated, and several processes can run it at
 * once.
 */
import type { Knex } from 'knex';
import {
  applyFunctions,
  type AppliedFunctions,
  FUNCTIONS_FOLDER,
  readFunctionFiles,
} from './kernel/apply-functions';
import { openDatabase, type Db } from './kernel/connection';
import { isDatabaseUnreachable } from './kernel/database-unreachable';
import { errorCode } from './kernel/error-code';
import { keepPartitions, PARTITIONED_TABLES } from './kernel/partitions';
import { migrationSource } from './migrations';
import { onlyRow, rows } from './kernel/query';

/** Key of the advisory lock. Each database has separate advisory locks. */
const LOCK = 0x6d696772;

/** Limits the wait for a table lock, because other statements queue behind it and delay calls. */
const LOCK_WAIT_S = 5;

const LOCK_NOT_AVAILABLE = '55P03';

const OLDEST_POSTGRES = 17;

/** Codes for a failed login and a missing database. */
const CANNOT_CONNECT = /^(28...|3D000)$/;

const ADDRESS = 'postgres://<user>:<password>@<host>:<port>/<database>';

/** The database has a migration that this version doesn't know. */
class NewerDatabase extends Error {}

/** The database's server version or encoding doesn't support the text comparison that the platform needs. */
class UnsuitableDatabase extends Error {}

interface Migrated extends AppliedFunctions {
  /** Names of the migrations that were applied. */
  migrations: string[];
}

export interface MigrateOptions {
  migrations?: Knex.MigrationSource<string>;
  functionsFolder?: string;
  /** Called when this process waits for another one that is migrating the database. */
  onWait?: () => void;
}

/**
 * Applies migrations, then functions, in one transaction under one advisory lock. A process that is killed leaves nothing half-done and no lock
 * to remove, because knex's own lock row is written in the same transaction.
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
      await refuseUnsuitable(trx);
      await waitForTurn(trx, onWait);
      await refuseUnknownMigrations(trx, await migrations.getMigrations([]));
      const [, applied] = (await trx.migrate.latest({ migrationSource: migrations })) as [number, string[]];
      const functions = await applyFunctions(trx, files);
      for (const table of PARTITIONED_TABLES)
        await keepPartitions(trx, table, { now: Date.now(), keepFrom: null });
      return { migrations: applied, ...functions };
    });
  } finally {
    await db.destroy();
  }
}

/** Waits without limit, because another migration can take long. */
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
  await trx.raw(`set local lock_timeout = '${LOCK_WAIT_S}s'`);
}

/** The SQL functions use the collation `pg_c_utf8`, which Postgres has since version 17 and only for UTF-8. The database's locale doesn't matter. */
async function refuseUnsuitable(trx: Db): Promise<void> {
  const { version, encoding, name } = await onlyRow<{ version: number; encoding: string; name: string }>(
    trx,
    `select current_setting('server_version_num')::integer / 10000 as version, pg_encoding_to_char(encoding) as encoding, datname as name
     from pg_database where datname = current_database()`,
  );
  if (version < OLDEST_POSTGRES) {
    throw new UnsuitableDatabase(
      `Postgres ${version} is too old. Upgrade the server to Postgres ${OLDEST_POSTGRES} or later.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new UnsuitableDatabase(
      `The database ${name} has the encoding ${encoding}, but the platform needs UTF8. Create it again: ` +
        `create database ${name} encoding 'UTF8' template template0`,
    );
  }
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
  throw new NewerDatabase(
    `The database is newer than this version of the platform, which doesn't know the migration ${first}` +
      `${others.length === 0 ? '' : ` and ${others.length} more`}. Run the version that migrated it or a later one. ` +
      "A database from before the first release can't be upgraded; start with an empty one.",
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

/** Explains an error to the operator who ran the command. Returns null for a bug, because its stack trace says more. */
export function faultInWords(error: unknown, databaseUrl: string): string | null {
  const text = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  if (!URL.canParse(databaseUrl)) return `DATABASE_URL is not a valid URL. Set it to ${ADDRESS}`;
  if (code === LOCK_NOT_AVAILABLE) {
    return `A long transaction, such as a backup, has locked a table for more than ${LOCK_WAIT_S} s. Nothing was changed. Migrate again when it has finished.`;
  }
  if (error instanceof NewerDatabase || error instanceof UnsuitableDatabase) return text;
  if (isDatabaseUnreachable(error))
    return `Postgres isn't responding at ${hostOf(databaseUrl)} (${text || code}).`;
  return code === null || !CANNOT_CONNECT.test(code) ? null : `Can't connect to Postgres: ${text}.`;
}

/** Leaves out user and password. */
const hostOf = (databaseUrl: string): string => new URL(databaseUrl).host;

async function main(): Promise<void> {
  const url = process.env.DATABASE_URL ?? '';
  if (url === '') {
    console.error(`DATABASE_URL is not set. Set it to ${ADDRESS}`);
    process.exitCode = 1;
    return;
  }
  const onWait = (): void => console.log('Another process is migrating the database. Waiting for it.');
  await migrate(url, { onWait }).then(
    (migrated) => console.log(report(migrated)),
    (error: unknown) => {
      console.error(faultInWords(error, url) ?? error);
      process.exitCode = 1;
    },
  );
}

if (require.main === module) void main();
