import type { Knex } from 'knex';
import type { Db } from './connection';

/** A statement that each connection parses once, and plans a few times at most. */
export interface PreparedStatement {
  /** Unique among all statements; up to 63 bytes. */
  name: string;
  sql: string;
}

/**
 * For what is run for every call: to parse and plan a long statement costs more than to run it. Not for one whose best plan depends on its values,
 * as a list's filters do, nor for one with a part that differs from run to run.
 */
export const prepared = (name: string, sql: string): PreparedStatement => ({ name, sql });

/** The rows of one statement. The caller names the shape that its own SQL answers. */
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

/** The one row that the statement always answers. */
export async function onlyRow<Row>(
  db: Db,
  statement: string | PreparedStatement,
  bindings: Record<string, Knex.RawBinding> = {},
): Promise<Row> {
  const row = await firstRow<Row>(db, statement, bindings);
  if (row === undefined) throw new Error('a statement that always answers a row answered none');
  return row;
}

/** An instant as Postgres reads it. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
