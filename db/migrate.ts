/** `npm run migrate`: brings the database of DATABASE_URL to the newest schema. Safe to run again, and by several processes at once. */
import type { Knex } from 'knex';
import { applyFunctions, type AppliedFunctions } from './kernel/apply-functions';
import { openDatabase, type Db } from './kernel/connection';
import { isDatabaseAway } from './kernel/database-away';
import { errorCode } from './kernel/error-code';
import { FUNCTIONS_FOLDER, readFunctionFiles } from './kernel/function-files';
import { keepMonths, MONTHLY_TABLES } from './kernel/months';
import { migrationSource } from './migrations';
import { onlyRow, rows } from './kernel/query';

/** Of the advisory lock, which is the database's own. */
const LOCK = 0x6d696772;

/** For a table that a long transaction holds: meanwhile everything else would queue behind us, and calls with it. */
const LOCK_WAIT_S = 5;

const LOCK_NOT_AVAILABLE = '55P03';

const OLDEST_POSTGRES = 17;

/** Invalid authorization, and a database that does not exist. */
const REFUSED = /^(28...|3D000)$/;

const ADDRESS = 'postgres://<user>:<password>@<host>:<port>/<database>';

/** It has a migration that this version does not know. */
export class NewerDatabase extends Error {}

/** Its server or its encoding cannot compare texts as the platform needs it. */
export class UnsuitableDatabase extends Error {}

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
      await refuseUnsuitable(trx);
      await waitForTurn(trx, onWait);
      await refuseUnknownMigrations(trx, await migrations.getMigrations([]));
      const [, applied] = (await trx.migrate.latest({ migrationSource: migrations })) as [number, string[]];
      const functions = await applyFunctions(trx, files);
      for (const table of MONTHLY_TABLES) await keepMonths(trx, table, { now: Date.now(), keepFrom: null });
      return { migrations: applied, ...functions };
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
  await trx.raw(`set local lock_timeout = '${LOCK_WAIT_S}s'`);
}

/** The functions name the collation `pg_c_utf8`, so the locale of the database does not matter. Postgres has it since 17, for UTF-8 only. */
async function refuseUnsuitable(trx: Db): Promise<void> {
  const { version, encoding, name } = await onlyRow<{ version: number; encoding: string; name: string }>(
    trx,
    `select current_setting('server_version_num')::integer / 10000 as version, pg_encoding_to_char(encoding) as encoding, datname as name
     from pg_database where datname = current_database()`,
  );
  if (version < OLDEST_POSTGRES) {
    throw new UnsuitableDatabase(
      `Postgres ${version} is too old: searches in every script need Postgres ${OLDEST_POSTGRES} or later. Upgrade the server.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new UnsuitableDatabase(
      `The database ${name} has the encoding ${encoding}, but texts in every script need UTF8. Make it again: ` +
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
    `The database is newer than this version of the platform, which does not know its migration ${first}` +
      `${others.length === 0 ? '' : ` and ${others.length} more`}. Run the version that migrated it, or a later one; ` +
      'a database from before the first release cannot be upgraded: begin with an empty one.',
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

/** A sentence for the person who ran the command; null for a fault of ours, of which the stack says more. */
export function faultInWords(error: unknown, databaseUrl: string): string | null {
  const text = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  if (!URL.canParse(databaseUrl)) return `DATABASE_URL is no address: ${ADDRESS}`;
  if (code === LOCK_NOT_AVAILABLE) {
    return `A long transaction, such as a backup's, holds a table for more than ${LOCK_WAIT_S} s. Nothing was changed: migrate again once it is over.`;
  }
  if (error instanceof NewerDatabase || error instanceof UnsuitableDatabase) return text;
  if (isDatabaseAway(error)) return `Postgres does not answer at ${hostOf(databaseUrl)} (${text || code}).`;
  // Of a login that is refused, or a database that does not exist: Postgres says it well.
  return code === null || !REFUSED.test(code) ? null : `Postgres refuses: ${text}.`;
}

/** Without user and password. */
const hostOf = (databaseUrl: string): string => new URL(databaseUrl).host;

async function main(): Promise<void> {
  const url = process.env.DATABASE_URL ?? '';
  if (url === '') {
    console.error(`DATABASE_URL is not set: ${ADDRESS}`);
    process.exitCode = 1;
    return;
  }
  const onWait = (): void => console.log('Another process migrates the database: waiting for it.');
  await migrate(url, { onWait }).then(
    (migrated) => console.log(report(migrated)),
    (error: unknown) => {
      console.error(faultInWords(error, url) ?? error);
      process.exitCode = 1;
    },
  );
}

if (require.main === module) void main();
