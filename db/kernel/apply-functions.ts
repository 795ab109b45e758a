/**
 * Makes the functions of a database those of the files, so that one that was upgraded equals a fresh one: what changed is applied, what has no
 * file any more is dropped.
 */
import type { Db } from './connection';
import { errorCode } from './error-code';
import type { FunctionFile } from './function-files';
import { rows } from './query';

export interface AppliedFunctions {
  /** Names of the functions whose files are new or have changed. */
  applied: string[];
  /** Names of the functions that no file makes any more. */
  dropped: string[];
}

/** Postgres refuses to replace a function by one that returns something else, or whose parameters have other names or fewer defaults. */
const INVALID_FUNCTION_DEFINITION = '42P13';

/** Within the caller's transaction, which must be the only one that applies functions. Tables are as the files expect them. */
export async function applyFunctions(trx: Db, files: readonly FunctionFile[]): Promise<AppliedFunctions> {
  const stale = await staleFunctions(trx, files);
  const dropped = await functionsWithoutFile(trx, files);
  for (const name of dropped) await dropFunction(trx, name);
  // A body in SQL is otherwise looked at when it is made: it could not name a function that comes after it.
  await trx.raw('set local check_function_bodies = off');
  for (const file of stale) await apply(trx, file);
  await trx.raw('set local check_function_bodies = on');
  for (const { name } of stale) await check(trx, name);
  return { applied: stale.map(({ name }) => name), dropped };
}

/** Those that the database does not have as they are now. */
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

/** Replaces the function where that is possible, as calls of it that are under way would fail on one that was dropped. */
async function apply(trx: Db, { name, sql, checksum }: FunctionFile): Promise<void> {
  const before = await signaturesOf(trx, name);
  // Made by hand, as only one can be ours.
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
  // With parameters of other types it is another function to Postgres, beside the one before.
  if ((await signaturesOf(trx, name)).length > 1) await dropSignatures(trx, before);
  await rows(
    trx,
    `insert into applied_functions (name, checksum) values (:name, :checksum)
     on conflict (name) do update set checksum = excluded.checksum`,
    { name, checksum },
  );
}

/** As Postgres would have done when the function was made, had all others been there. */
async function check(trx: Db, name: string): Promise<void> {
  const [made] = await rows<{ validator: string; oid: number }>(
    trx,
    `select lanvalidator::regproc::text as validator, p.oid from pg_proc p join pg_language l on l.oid = p.prolang
     where proname = :name and pronamespace = current_schema()::regnamespace`,
    { name },
  );
  if (made === undefined) throw new Error(`${name}.sql made no function`);
  await rows(trx, `select ${made.validator}(:oid)`, { oid: made.oid }).catch((error: unknown) => {
    throw inFile(name, error);
  });
}

async function dropFunction(trx: Db, name: string): Promise<void> {
  await dropTriggers(trx, name);
  await dropSignatures(trx, await signaturesOf(trx, name));
  await rows(trx, 'delete from applied_functions where name = :name', { name });
}

/** All functions of the name, as `drop function` takes them. */
async function signaturesOf(trx: Db, name: string): Promise<string[]> {
  const found = await rows<{ signature: string }>(
    trx,
    `select oid::regprocedure::text as signature from pg_proc
     where proname = :name and pronamespace = current_schema()::regnamespace`,
    { name },
  );
  return found.map(({ signature }) => signature);
}

/** Fails where an index, a default or a generated column uses the function: a migration has to free it first. */
async function dropSignatures(trx: Db, signatures: readonly string[]): Promise<void> {
  for (const signature of signatures) await trx.raw(`drop function ${signature}`);
}

/** The function's file makes those that are still wanted. The copies on partitions go with the trigger of their table. */
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
