/** Decides when a run is over: every campaign and call has ended, and every delivery that can finish has finished. */
import { query } from '../../dev/stack/postgres';

export interface Remaining {
  campaigns: number;
  /** Campaigns paused by a user or by the circuit breaker. */
  paused: string[];
  /** Number of calls that aren't over or whose webhook hasn't been written. */
  calls: number;
  deliveries: number;
  dialled: number;
}

/**
 * Deliveries to a dead receiver are given up only after 13 minutes, which is too long for a run. Two rejected attempts at the right
 * interval are enough to judge.
 */
const REMAINING = `
select
  (select count(*) from campaigns where status not in ('completed', 'cancelled'))::int as campaigns,
  (select coalesce(array_agg(id::text), '{}') from campaigns where status = 'paused') as paused,
  (select count(*) from calls where stage <> 'over' or concluded_at is null)::int as calls,
  (select count(*) from webhook_deliveries d where d.status = 'pending' and not (d.url like '%/dead'
     and (select count(*) from webhook_attempts a where a.delivery_id = d.id) >= 2))::int as deliveries,
  (select count(*) from calls where requested_at is not null)::int as dialled`;

/** Null while Postgres is unreachable. */
export async function remaining(databaseUrl: string): Promise<Remaining | null> {
  try {
    const { rows } = await query(databaseUrl, (client) => client.query<Remaining>(REMAINING));
    return rows[0] ?? null;
  } catch {
    return null;
  }
}

export const isSettled = ({ campaigns, calls, deliveries }: Remaining): boolean =>
  campaigns + calls + deliveries === 0;

export function describeRemaining({ campaigns, calls, deliveries, dialled }: Remaining): string {
  return `${dialled} calls dialled, ${campaigns} campaigns, ${calls} calls and ${deliveries} deliveries not over`;
}

const TABLES = ['campaigns', 'contacts', 'calls', 'lines', 'webhook_deliveries', 'webhook_attempts'];

/** Reads the rows of a failed run, which are kept for debugging after the database is gone. */
export async function tablesOf(databaseUrl: string): Promise<Record<string, unknown[]>> {
  return query(databaseUrl, async (client) => {
    const tables: Record<string, unknown[]> = {};
    for (const table of TABLES) tables[table] = (await client.query(`select * from ${table}`)).rows;
    return tables;
  });
}
