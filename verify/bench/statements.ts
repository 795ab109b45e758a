import { Client } from 'pg';

/** Number of executions of each statement, by its text without values. */
type StatementCounts = ReadonlyMap<string, number>;

export interface StatementCounter {
  /** Returns all top-level statements since Postgres started, including `begin` and `commit`, but not those of this counter. */
  read(): Promise<StatementCounts>;
  version(): Promise<string>;
  /** Returns the ids of a campaign's calls in order of creation. */
  callIds(campaignId: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Counts with pg_stat_statements on a separate connection. The packaged Postgres loads this extension. */
export async function statementCounter(databaseUrl: string): Promise<StatementCounter> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'bench' });
  client.on('error', () => {});
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements');
  return {
    async read() {
      const { rows } = await client.query<{ query: string; calls: string }>(
        `select query, sum(calls)::text as calls from pg_stat_statements s
         join pg_database d on d.oid = s.dbid and d.datname = current_database()
         where query not like '%pg_stat_statements%' group by query`,
      );
      return new Map(rows.map(({ query, calls }) => [query, Number(calls)]));
    },
    async version() {
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]?.server_version ?? 'unknown';
    },
    async callIds(campaignId) {
      const { rows } = await client.query<{ call_id: string }>(
        'select call_id from calls where campaign_id = $1 order by accepted_at, call_id',
        [campaignId],
      );
      return rows.map(({ call_id }) => call_id);
    },
    close: () => client.end(),
  };
}

/** Returns the statements executed between two counts, most frequent first. */
export function statementsBetween(before: StatementCounts, after: StatementCounts): [string, number][] {
  return [...after]
    .map(([query, calls]): [string, number] => [query, calls - (before.get(query) ?? 0)])
    .filter(([, calls]) => calls > 0)
    .sort(([, a], [, b]) => b - a);
}

export const totalStatements = (statements: readonly [string, number][]): number =>
  statements.reduce((sum, [, calls]) => sum + calls, 0);
