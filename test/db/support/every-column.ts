import type { Db } from '../../../db/kernel/connection';
import { rows } from '../../../db/kernel/query';

/** Returns every column of every table as text, with bytes decoded, so that tests can search for erased data. */
export async function everyColumn(db: Db): Promise<{ where: string; text: string }[]> {
  const tables = await rows<{ name: string; columns: { name: string; type: string }[] }>(
    db,
    `select c.table_name as name,
       json_agg(json_build_object('name', c.column_name, 'type', c.data_type) order by c.column_name) as columns
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1 order by 1`,
  );
  const found: { where: string; text: string }[] = [];
  for (const { name: table, columns } of tables) {
    const texts = columns.map(({ name, type }) => {
      const value = type === 'bytea' ? `encode("${name}", 'escape')` : `"${name}"::text`;
      return `lower(string_agg(${value}, ' '))`;
    });
    const [row] = await rows<{ texts: (string | null)[] }>(
      db,
      `select array[${texts.join(', ')}] as texts from "${table}"`,
    );
    for (const [at, { name }] of columns.entries())
      found.push({ where: `${table}.${name}`, text: row?.texts[at] ?? '' });
  }
  return found;
}
