import type { Knex } from 'knex';

/** Kept when what it tells of is gone, so it refers to nothing. */
const AUDIT = `
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  client_id uuid,
  -- api_key with the key's id, or operator with the name of the person who ran the command.
  actor_kind text not null check (actor_kind in ('api_key', 'operator')),
  actor_id text not null,
  request_id text,
  -- noun.verb, such as campaign.update
  action text not null,
  subject_id text not null,
  -- The names of the fields that were changed, never their values: these may be personal.
  fields text[] not null default '{}'
);
create index audit_log_of_client on audit_log (client_id, at desc, id desc);
create index audit_log_of_subject on audit_log (subject_id, at desc, id desc);`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(AUDIT);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table audit_log');
}
