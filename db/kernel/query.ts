import type { Knex } from 'knex';
import type { Db } from './connection';

/** A statement that each connection parses once and plans only a few times. */
interface PreparedStatement {
  /** Unique among all statements; up to 63 bytes. */
  name: string;
  sql: string;
}

/**
 * Prepares a statement that runs for every call, because parsing and planning a long statement costs more than running it. Don't use it if
 * the best plan depends on the values (as with a list's filters) or the SQL varies.
 */
export const prepared = (name: string, sql: string): PreparedStatement => ({ name, sql });

/** Returns the rows of a statement. Declare the type of the rows that the SQL returns. */
export async function rows<Row>(
  db: Db,
  statement: string | PreparedStatement,
  bindings: Record<string, Knex.RawBinding> = {},
): Promise<Row[]> {
  const isPrepared = typeof statement !== 'string';
  const query = db.raw<{ rows: Row[] }>(isPrepared ? statement.sql : statement, bindings);
  const result = await (isPrepared ? query.options({ name: statement.name }) : query);
  return result.rows;
}

export async function firstRow<Row>(
  db: Db,
  statement: string | PreparedStatement,
  bindings: Record<string, Knex.RawBinding> = {},
): Promise<Row | undefined> {
  return (await rows<Row>(db, statement, bindings))[0];
}

/** Returns the row of a statement that always returns exactly one. */
export async function onlyRow<Row>(
  db: Db,
  statement: string | PreparedStatement,
  bindings: Record<string, Knex.RawBinding> = {},
): Promise<Row> {
  const row = await firstRow<Row>(db, statement, bindings);
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}

/** Formats milliseconds since the epoch for Postgres. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
