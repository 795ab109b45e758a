import type { Knex } from 'knex';

const OPERATORS = `
-- An organisation's own limits of its requests: null where the configured ones hold, 0 for none.
alter table clients
  add column dispatch_per_minute integer check (dispatch_per_minute >= 0),
  add column other_per_minute integer check (other_per_minute >= 0);
-- What an operator calls a key, and when it was last used, to the hour.
alter table api_keys add column label text, add column last_used_at timestamptz;
create index api_keys_of_client on api_keys (client_id, created_at desc, id);
-- Numbers in E.164 that a client must not call.
create table dnd_numbers (
  client_id uuid not null references clients,
  phone_number text not null,
  -- Where the number came from, in an operator's words.
  source text not null,
  added_at timestamptz not null,
  primary key (client_id, phone_number)
);
create index audit_log_by_time on audit_log (at desc, id desc);`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(OPERATORS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop index audit_log_by_time;
    drop table dnd_numbers;
    drop index api_keys_of_client;
    alter table api_keys drop column label, drop column last_used_at;
    alter table clients drop column dispatch_per_minute, drop column other_per_minute`);
}
