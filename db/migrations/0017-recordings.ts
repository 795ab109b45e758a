import type { Knex } from 'knex';

/** Beside the calls, whose rows are written often and read in lists: most calls that are made have no recording. */
const RECORDINGS = `
create table recordings (
  call_id text primary key references calls,
  -- Under which the storage keeps it.
  storage_key text not null,
  content_type text not null,
  bytes bigint not null,
  stored_at timestamptz not null
);`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(RECORDINGS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table recordings');
}
