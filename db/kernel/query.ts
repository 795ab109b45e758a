import type { Knex } from 'knex';
import type { Db } from './connection';

/** The rows of one statement. The caller names the shape that its own SQL answers. */
export async function rows<Row>(
  db: Db,
  sql: string,
  bindings: Record<string, Knex.RawBinding> = {},
): Promise<Row[]> {
  const result: { rows: Row[] } = await db.raw(sql, bindings);
  return result.rows;
}

export async function firstRow<Row>(
  db: Db,
  sql: string,
  bindings: Record<string, Knex.RawBinding> = {},
): Promise<Row | undefined> {
  return (await rows<Row>(db, sql, bindings))[0];
}

/** The one row that the statement always answers. */
export async function onlyRow<Row>(
  db: Db,
  sql: string,
  bindings: Record<string, Knex.RawBinding> = {},
): Promise<Row> {
  const row = await firstRow<Row>(db, sql, bindings);
  if (row === undefined) throw new Error('a statement that always answers a row answered none');
  return row;
}

/** An instant as Postgres reads it. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
