import type { Db } from '../../../db/kernel/connection';

/** Returns a hash of each table's rows. The hashes are equal if nothing was written. */
export async function tableHashes(db: Db): Promise<Record<string, string>> {
  const tables: string[] = await db('pg_tables')
    .where('schemaname', 'public')
    .orderBy('tablename')
    .pluck('tablename');
  const selects = tables.map(
    (table) =>
      `select '${table}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from "${table}" t`,
  );
  // Sorts the result, because Postgres may scan the tables in parallel.
  const { rows } = await db.raw<{ rows: { name: string; hash: string }[] }>(
    `${selects.join(' union all ')} order by name`,
  );
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}
