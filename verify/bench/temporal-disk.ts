import { query } from '../../dev/stack/postgres';
import { TEMPORAL_DATABASES } from '../../dev/stack/temporal-on-postgres';
import type { BenchStack } from './bench-stack';

/** Returns the size of Temporal's databases with indexes but without dead rows; null if Temporal's state isn't in Postgres. */
export async function temporalDiskBytes({ stack, temporalOnPostgres }: BenchStack): Promise<number | null> {
  if (!temporalOnPostgres) return null;
  let bytes = 0;
  for (const database of Object.values(TEMPORAL_DATABASES)) {
    const url = new URL(stack.databaseUrl);
    url.pathname = `/${database}`;
    bytes += await query(url.toString(), async (client) => {
      await client.query('vacuum (full)');
      const { rows } = await client.query<{ bytes: string }>(
        'select pg_database_size(current_database())::text as bytes',
      );
      return Number(rows[0]?.bytes);
    });
  }
  return bytes;
}
