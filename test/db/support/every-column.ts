import type { Db } from '../../../db/kernel/connection';
import { rows } from '../../../db/kernel/query';

/** Returns every column of every table as text, with bytes decoded, so that tests can search for erased data. */
export async function everyColumn(db: Db): Promise<{ where: string; text: string }[]> {
  const columns = await rows<{ table: string; column: string; type: string }>(
    db,
    `select c.table_name as "table", c.column_name as "column", c.data_type as type from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`,
  );
  const found: { where: string; text: string }[] = [];
  for (const { table, column, type } of columns) {
    const value = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const [row] = await rows<{ text: string | null }>(
      db,
      `select lower(string_agg(${value}, ' ')) as text from "${table}"`,
    );
    found.push({ where: `${table}.${column}`, text: row?.text ?? '' });
  }
  return found;
}
