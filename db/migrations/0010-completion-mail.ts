/** The ledger of the e-mails that tell of a campaign's end: a row for each of its recipients, written with the end itself. */
import type { Knex } from 'knex';

const LEDGER = `
create table completion_mails (
  campaign_id uuid not null references campaigns on delete cascade,
  -- The place among the campaign's recipients, from 1: what workflows and logs name instead of the address.
  recipient smallint not null,
  address text not null,
  -- pending -> sent | failed (refused, or given up) | skipped (no mail server is configured)
  status text not null check (status in ('pending', 'sent', 'failed', 'skipped')),
  attempts integer not null default 0,
  -- Without addresses.
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- When reconciliation is to look whether somebody still sends it.
  look_at timestamptz not null,
  primary key (campaign_id, recipient)
);
create index completion_mails_pending on completion_mails (look_at) where status = 'pending';`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(LEDGER);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table completion_mails');
}
