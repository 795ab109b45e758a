/** What is known of a call beside its course: what the agent told of it, and what a language model was asked about it. */
import type { Knex } from 'knex';

/** Beside the calls, whose rows are written often and read in lists. Nothing in it is personal. */
const REPORTS = `
create table call_reports (
  call_id text primary key references calls,
  -- {models: [{kind, provider, model, purpose, …, cost}], responseMs: [], interruptions}: told last, it stands.
  usage jsonb,
  usage_at timestamptz,
  -- The agent asks for a callback; callback_at is null where no time was named.
  callback_asked_at timestamptz,
  callback_at timestamptz
);`;

const ANALYSES = `
create table call_analyses (
  call_id text primary key references calls,
  requested_at timestamptz not null,
  -- When reconciliation is to look whether somebody still sees to it.
  look_at timestamptz not null,
  -- The model's, checked; until the call is concluded, whose row has what was found.
  answer jsonb,
  model text,
  -- As of call_reports: what the questions to the model cost.
  usage jsonb,
  -- Why the last try came to nothing, as a fixed word.
  failure text,
  -- model or rules, once the call is concluded.
  method text check (method in ('model', 'rules'))
);`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(REPORTS);
  await knex.raw(ANALYSES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table call_analyses; drop table call_reports');
}
