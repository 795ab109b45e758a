import type { Db } from '../../../db/kernel/connection';

/** Of each statement that is run, as it is run; what explaining it once more changes is rolled back. */
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

/** By all scans of the table's partitions together. */
export const rowsRead = (plan: string, table: string): number =>
  [...plan.matchAll(new RegExp(`Scan .*on ${table}_\\w+ .*?actual rows=([\\d.]+)`, 'g'))].reduce(
    (sum, [, read]) => sum + Number(read),
    0,
  );

/** Names of those that a plan has scans of; each once, in the order of its first. */
export const partitionsIn = (plan: string, table: string): string[] => [
  ...new Set(plan.match(new RegExp(`(?<=Scan .*on )${table}_\\w+`, 'g'))),
];
