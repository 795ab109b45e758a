import type { Db } from '../../../db/kernel/connection';

/** Returns the plan of each statement that the work runs. Explaining runs a statement a second time, so those changes are rolled back. */
export async function plansOf(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  const ran: { sql: string; bindings: string[] }[] = [];
  const note = (query: { sql: string; bindings: string[] }): void => void ran.push(query);
  db.on('query', note);
  await work().finally(() => db.off('query', note));
  const client = await db.client.acquireConnection();
  const plans: string[] = [];
  try {
    await client.query('begin');
    for (const { sql, bindings } of ran) {
      if (!/^\s*(select|with|insert|update|delete)/i.test(sql)) continue;
      const explained = await client.query(`explain (analyze, costs off, timing off) ${sql}`, bindings);
      plans.push(explained.rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n'));
    }
  } finally {
    await client.query('rollback');
    await db.client.releaseConnection(client);
  }
  return plans;
}

/** Sums the rows of all scans of the table's partitions. */
export const rowsRead = (plan: string, table: string): number =>
  [...plan.matchAll(new RegExp(`Scan .*on ${table}_\\w+ .*?actual rows=([\\d.]+)`, 'g'))].reduce(
    (sum, [, read]) => sum + Number(read),
    0,
  );

/** Returns the tables that a plan scans, each once, in order of the first scan. */
export const partitionsIn = (plan: string, table: string): string[] => [
  ...new Set(plan.match(new RegExp(`(?<=Scan .*on )${table}_\\w+`, 'g'))),
];
