/** An agent with several caller IDs shows them in turn, whichever worker dials. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table outbound_turns (
  agent_id uuid primary key references agents,
  -- How many calls have taken a turn; only of agents with more than one caller ID.
  turn bigint not null
)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table outbound_turns');
}
