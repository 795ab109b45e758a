import type { Knex } from 'knex';

/** Belongs to no client: a registry answers for a number, whoever calls it. */
const ANSWERS = `
create table dnd_registry_answers (
  phone_number text primary key,
  listed boolean not null,
  asked_at timestamptz not null
);
create index dnd_registry_answers_by_age on dnd_registry_answers (asked_at);`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(ANSWERS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table dnd_registry_answers');
}
