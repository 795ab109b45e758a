/** Resources that all runs share: one connection to one database, which is emptied before each run, and the workflow code. */
import { readFile } from 'node:fs/promises';
import { Client, types } from 'pg';
import { KEEP_LASTING_ENDS } from '../standing-invariants';
import { APPLY_RULES } from './stored-rules';
import type { WorkflowCode } from '../temporal/instance';
import { createActivities } from '../../../activities';
import type { CreateActivities } from '../changed-activities';

const INT8_OID = 20;
const NUMERIC_OID = 1700;

/**
 * Overrides Postgres functions earlier in the search path, so that repeated runs get the same ids. `last_granted_at` keeps the real clock,
 * because it is compared only with itself.
 */
const REPEATABLE_IDS = `
create sequence if not exists simulated_ids;
create or replace function gen_random_uuid() returns uuid language sql volatile as
  $$ select md5('simulated ' || nextval('public.simulated_ids'))::uuid $$`;

export interface Laboratory {
  client: Client;
  /** Prepared statements of the connection. */
  statements: Map<string, string>;
  url: string;
  code: WorkflowCode;
  createActivities: CreateActivities;
  reset(): Promise<void>;
  /** CPU time of this process and its Postgres backend; null if the system doesn't show the backend's. */
  cpuMs(): Promise<number | null>;
  close(): Promise<void>;
}

/** `url` is an empty, migrated database that only this laboratory uses. `activities` defaults to those of the product. */
export async function openLaboratory(
  url: string,
  code: WorkflowCode,
  activities: CreateActivities = createActivities,
): Promise<Laboratory> {
  types.setTypeParser(INT8_OID, Number);
  types.setTypeParser(NUMERIC_OID, Number);
  const client = new Client({ connectionString: url, application_name: 'simulation' });
  await client.connect();
  await client.query(REPEATABLE_IDS);
  await client.query(KEEP_LASTING_ENDS);
  await client.query(APPLY_RULES);
  await client.query('set search_path to public, pg_catalog');
  await client.query(`set synchronous_commit to off`);
  // The order of unordered rows depends on the query plan, so the plan must not change with the number of executions.
  await client.query('set plan_cache_mode to force_generic_plan');
  // Tables that contain rows from the start: the deployment's id, the kinds of numbers, the migrations.
  const kept = await nonEmptyTables(client);
  // New statistics would change query plans during a run and thereby the order of unordered rows.
  for (const { name } of (await client.query<{ name: string }>(STORED)).rows) {
    await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
  }
  return {
    client,
    statements: new Map(),
    url,
    code,
    createActivities: activities,
    async reset() {
      const { rows } = await client.query<{ name: string }>(WRITTEN);
      const emptied = rows.map(({ name }) => name).filter((name) => !kept.has(name));
      if (emptied.length > 0) await client.query(`truncate ${emptied.join(', ')} restart identity cascade`);
      await client.query('alter sequence simulated_ids restart');
    },
    async cpuMs() {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const own = process.cpuUsage();
      const backend = await backendMs(rows[0]?.pid ?? 0);
      return backend === null ? null : (own.user + own.system) / 1_000 + backend;
    },
    close: () => client.end(),
  };
}

const TABLES = `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`;

/** Tables with pages. Truncating the others too, each with its indexes, would take a sixth of a run's CPU time. */
const WRITTEN = `${TABLES} and pg_relation_size((schemaname || '.' || quote_ident(tablename))::regclass) > 0`;

/** Only tables with storage, because options can't be set on a partitioned table. */
const STORED = `${TABLES} and (schemaname || '.' || quote_ident(tablename))::regclass in (select oid from pg_class where relkind = 'r')`;

async function nonEmptyTables(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(TABLES);
  const kept = new Set<string>();
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount !== 0) kept.add(name);
  }
  return kept;
}

/** `/proc` counts in ticks of ten milliseconds on all common Linux systems. */
const TICK_MS = 10;
const USER = 11;
const SYSTEM = 12;

async function backendMs(pid: number): Promise<number | null> {
  try {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
  } catch {
    return null;
  }
}
