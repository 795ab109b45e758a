/** How long an organisation keeps what is personal, how far that was seen to, and who was erased. */
import type { Knex } from 'knex';

const SQL = `
-- Days after a call's or a campaign's end; null keeps for ever.
alter table clients
  add column recordings_days integer check (recordings_days >= 1),
  add column transcripts_days integer check (transcripts_days >= 1),
  add column contacts_days integer check (contacts_days >= 1);
-- Of a call whose person was erased: nothing that comes late is kept of it.
alter table calls add column erased_at timestamptz;
-- Its contacts and its file are past their time.
alter table campaigns add column contacts_erased_at timestamptz;
-- Calls of a client that ended up to here were seen to, each once, whatever the days are by then.
create table retention_marks (
  client_id uuid not null references clients on delete cascade,
  kind text not null check (kind in ('recordings', 'transcripts', 'contacts')),
  ended_at timestamptz not null,
  call_id text not null,
  primary key (client_id, kind)
);
-- What a page of them is found by; written once in a call's life.
create index calls_ended on calls (client_id, ended_at, call_id) where stage = 'over';
create index campaigns_keeping on campaigns (client_id, ended_at) where ended_at is not null and contacts_erased_at is null;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(SQL);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop index campaigns_keeping;
    drop index calls_ended;
    drop table retention_marks;
    alter table campaigns drop column contacts_erased_at;
    alter table calls drop column erased_at;
    alter table clients drop column recordings_days, drop column transcripts_days, drop column contacts_days`);
}
