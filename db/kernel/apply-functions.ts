/**
 * Makes a database's functions match the files, so that an upgraded database equals a new one. Applies changed files and drops functions
 * whose file is gone.
 */
import type { Db } from './connection';
import { errorCode } from './error-code';
import { rows } from './query';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface AppliedFunctions {
  /** Names of the functions whose files are new or have changed. */
  applied: string[];
  /** Names of the functions whose file is gone. */
  dropped: string[];
}

/** Postgres raises this when the new function has another return type, other parameter names or fewer defaults. */
const INVALID_FUNCTION_DEFINITION = '42P13';

/** No other transaction can apply functions at the same time, and the tables must be migrated first. */
export async function applyFunctions(trx: Db, files: readonly FunctionFile[]): Promise<AppliedFunctions> {
  const stale = await staleFunctions(trx, files);
  const dropped = await functionsWithoutFile(trx, files);
  for (const name of dropped) await dropFunction(trx, name);
  // Allows the body of a SQL function to call a function that is created later.
  await trx.raw('set local check_function_bodies = off');
  for (const file of stale) await apply(trx, file);
  await trx.raw('set local check_function_bodies = on');
  for (const { name } of stale) await check(trx, name);
  return { applied: stale.map(({ name }) => name), dropped };
}

/** Returns the files whose function is missing in the database or was applied from another version of the file. */
async function staleFunctions(trx: Db, files: readonly FunctionFile[]): Promise<FunctionFile[]> {
  const known = await rows<{ name: string; checksum: string }>(
    trx,
    `select name, checksum from applied_functions a
     where exists (select 1 from pg_proc where proname = a.name and pronamespace = current_schema()::regnamespace)`,
  );
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]));
  return files.filter(({ name, checksum }) => checksums.get(name) !== checksum);
}

async function functionsWithoutFile(trx: Db, files: readonly FunctionFile[]): Promise<string[]> {
  const found = await rows<{ name: string }>(
    trx,
    'select name from applied_functions where name <> all(:names) order by name',
    { names: files.map(({ name }) => name) },
  );
  return found.map(({ name }) => name);
}

/** Replaces the function if Postgres allows it, because dropping it would make calls in progress fail. */
async function apply(trx: Db, { name, sql, checksum }: FunctionFile): Promise<void> {
  const before = await signaturesOf(trx, name);
  // Only one of several functions with this name can be ours, so the others were created by hand.
  if (before.length > 1) await dropSignatures(trx, before.splice(0));
  await dropTriggers(trx, name);
  const run = (on: Db): Promise<unknown> => on.raw(sql.replaceAll('?', '\\?'));
  try {
    await trx.transaction(run);
  } catch (error) {
    if (errorCode(error) !== INVALID_FUNCTION_DEFINITION) throw inFile(name, error);
    await dropSignatures(trx, before);
    await run(trx);
  }
  // With other parameter types, Postgres adds a second function and keeps the first.
  if ((await signaturesOf(trx, name)).length > 1) await dropSignatures(trx, before);
  await rows(
    trx,
    `insert into applied_functions (name, checksum) values (:name, :checksum)
     on conflict (name) do update set checksum = excluded.checksum`,
    { name, checksum },
  );
}

/** Runs the check that `check_function_bodies = off` skipped. */
async function check(trx: Db, name: string): Promise<void> {
  const [made] = await rows<{ validator: string; oid: number }>(
    trx,
    `select lanvalidator::regproc::text as validator, p.oid from pg_proc p join pg_language l on l.oid = p.prolang
     where proname = :name and pronamespace = current_schema()::regnamespace`,
    { name },
  );
  if (made === undefined) throw new Error(`${name}.sql created no function`);
  await rows(trx, `select ${made.validator}(:oid)`, { oid: made.oid }).catch((error: unknown) => {
    throw inFile(name, error);
  });
}

async function dropFunction(trx: Db, name: string): Promise<void> {
  await dropTriggers(trx, name);
  await dropSignatures(trx, await signaturesOf(trx, name));
  await rows(trx, 'delete from applied_functions where name = :name', { name });
}

/** Returns the signatures of all functions of this name, as `drop function` expects them. */
async function signaturesOf(trx: Db, name: string): Promise<string[]> {
  const found = await rows<{ signature: string }>(
    trx,
    `select oid::regprocedure::text as signature from pg_proc
     where proname = :name and pronamespace = current_schema()::regnamespace`,
    { name },
  );
  return found.map(({ signature }) => signature);
}

/** Fails if an index, a default or a generated column uses the function. A migration must remove that use first. */
async function dropSignatures(trx: Db, signatures: readonly string[]): Promise<void> {
  for (const signature of signatures) await trx.raw(`drop function ${signature}`);
}

/** Drops all triggers of the function. Its file creates them again. Postgres itself drops the copies on partitions. */
async function dropTriggers(trx: Db, name: string): Promise<void> {
  const triggers = await rows<{ name: string; table: string }>(
    trx,
    `select quote_ident(t.tgname) as name, t.tgrelid::regclass::text as table from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where p.proname = :name and p.pronamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgparentid = 0`,
    { name },
  );
  for (const trigger of triggers) await trx.raw(`drop trigger ${trigger.name} on ${trigger.table}`);
}

const inFile = (name: string, error: unknown): Error =>
  new Error(`db/functions/${name}.sql: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });

/** Folder of the SQL functions. A file is named after its function and includes the triggers that run it. */
export const FUNCTIONS_FOLDER = join(__dirname, '..', 'functions');

export interface FunctionFile {
  /** Name of the function and of the file, in lower case. */
  name: string;
  /** Has one `create or replace function` and a `create trigger` for each trigger that runs it. */
  sql: string;
  /** SHA-256 of `sql`, in hex. */
  checksum: string;
}

/** Returns the files sorted by name. Rejects if a file doesn't create exactly the function that it is named after. */
export async function readFunctionFiles(folder = FUNCTIONS_FOLDER): Promise<FunctionFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  // Without this check, an image that lacks the files would drop every function of the database.
  if (files.length === 0) throw new Error(`there are no .sql files in ${folder}`);
  return Promise.all(files.map((file) => readFunctionFile(folder, file.slice(0, -'.sql'.length))));
}

async function readFunctionFile(folder: string, name: string): Promise<FunctionFile> {
  const sql = await readFile(join(folder, `${name}.sql`), 'utf8');
  const made = [...sql.matchAll(/^create (?:or replace )?function (\w+)/gim)].map(([, each]) => each);
  if (made.length !== 1 || made[0] !== name || !sql.includes(`create or replace function ${name}(`)) {
    throw new Error(
      `${name}.sql must create or replace one function, ${name}; it creates: ${made.join(', ') || 'none'}`,
    );
  }
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}
