-- Campaigns, their contacts, and the e-mails about their end.

-- Few rows, and each call that ends writes its campaign's sums: a number of dead rows starts the vacuum.
create table campaigns (
  id uuid primary key,
  client_id uuid not null references clients,
  agent_id uuid not null references agents,
  campaign_name text not null,
  status text not null,
  status_reason text,
  paused_with_all boolean not null default false,
  announced_status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,

  contact_source_type text not null,
  contact_file_key text,
  contact_file_bytes bigint not null default 0,
  contact_columns text[] not null default '{}',
  contacts_erased_at timestamptz,

  days_of_week text not null,
  start_minute integer not null,
  end_minute integer not null,
  from_date text not null,
  to_date text not null,
  max_retries integer not null,
  retry_after_mins integer not null,
  call_concurrency integer not null check (call_concurrency >= 1),
  perform_dnd_check boolean not null default false,
  notification_emails text[] not null default '{}',
  webhook_url text,
  per_call_webhook_url text,

  dialing_until timestamptz,
  last_granted_at timestamptz,
  refill_asked_at timestamptz,
  look_at timestamptz not null,
  recent_dials text not null default '',

  total_contacts integer not null,
  in_progress_contacts integer not null default 0,
  completed_contacts integer not null default 0,
  failed_contacts integer not null default 0,
  kept_contacts integer not null generated always as (case when contacts_erased_at is null then total_contacts else 0 end) stored,
  kept_file_bytes bigint not null generated always as (case when contact_file_key is null then 0 else contact_file_bytes end) stored
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index campaigns_of_client on campaigns (client_id, created_at desc, id desc);
create index campaigns_of_status on campaigns (client_id, status, created_at, id);
create index campaigns_active on campaigns (client_id) where status = 'active';
create index campaigns_open on campaigns (id) where ended_at is null;
create index campaigns_keeping on campaigns (client_id, ended_at) where ended_at is not null and contacts_erased_at is null;
comment on column campaigns.announced_status is 'The last of the four announced statuses that a webhook named: old_status of the next.';
comment on column campaigns.paused_with_all is
  'A pause of all campaigns paused it, and nobody has paused, resumed or changed it since: a resume of all takes these only.';
comment on column campaigns.contact_file_key is 'Null since a person of the file was erased: from then on the file is made from the contacts.';
comment on column campaigns.kept_contacts is 'Its part of the quota contacts (count_contacts).';
comment on column campaigns.kept_file_bytes is 'Its part of the quota contact_file_bytes (count_contacts).';
comment on column campaigns.contact_columns is 'The columns of the file in its order, which the contacts'' variables do not keep as JSON.';
comment on column campaigns.contacts_erased_at is 'Its contacts and its file are past their time.';
comment on column campaigns.start_minute is 'Of the daily window: minutes after midnight UTC.';
comment on column campaigns.max_retries is 'Dials of a contact: 1 means no redial.';
comment on column campaigns.dialing_until is
  'Set by the campaign''s workflow while its window is open: the instant at which dialling must stop.';
comment on column campaigns.last_granted_at is 'The fair turn among a client''s campaigns.';
comment on column campaigns.refill_asked_at is
  'The workflow is to look at the campaign and has not yet: one signal a page of calls, not one a call; repeated if it is lost.';
comment on column campaigns.look_at is 'When reconciliation is to look whether its workflow runs, unless that surveys it before.';
comment on column campaigns.recent_dials is 'The latest dials, as in clients.recent_dials.';

create table contacts (
  id bigint generated always as identity primary key,
  campaign_id uuid not null references campaigns on delete cascade,
  client_id uuid not null,
  row_number integer not null,
  name text not null,
  phone_number text not null,
  variables jsonb not null,
  state text not null default 'pending',
  reason text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  call_id text,
  callback_of text,
  folded_name text collate "C" not null,
  unique (campaign_id, row_number)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
create index contacts_due on contacts (campaign_id, next_attempt_at, row_number) where state = 'pending' and call_id is null;
-- A search for a person begins with the owner, so that it never reads the contacts of others.
create index contacts_of_number on contacts (client_id, phone_number);
create index contacts_of_name on contacts (client_id, folded_name);
comment on column contacts.client_id is 'The owner of the campaign, written by index_contact.';
comment on column contacts.folded_name is 'The name in the form in which names are compared, written by index_contact.';
comment on column contacts.call_id is 'The call that is to dial or dials this contact now.';
comment on column contacts.callback_of is 'The call in which the callback was asked for that is due next.';

create table completion_mails (
  campaign_id uuid not null references campaigns on delete cascade,
  recipient smallint not null,
  address text not null,
  kind text not null default 'report' check (kind in ('report', 'confirmation')),
  status text not null check (status in ('pending', 'sent', 'failed', 'skipped', 'unconfirmed')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  look_at timestamptz not null,
  primary key (campaign_id, recipient)
);
create index completion_mails_pending on completion_mails (look_at) where status = 'pending';
comment on table completion_mails is
  'The ledger of the e-mails about a campaign: a row for each recipient of its report, written with its end, and for each address that it asks to confirm.';
comment on column completion_mails.recipient is
  'The place among the campaign''s recipients, from 1, of confirmations from 101: what workflows and logs name instead of the address.';
comment on column completion_mails.address is 'Empty once it was erased, or asked in vain for 30 days.';
comment on column completion_mails.status is
  'pending -> sent | failed (refused, or given up) | skipped (no mail server, no call, or over the day''s limit); or unconfirmed from the start.';
comment on column completion_mails.last_error is 'Without addresses.';
comment on column completion_mails.look_at is 'When reconciliation is to look whether somebody still sends it.';

create table mail_addresses (
  id uuid primary key,
  client_id uuid not null references clients on delete cascade,
  address text not null,
  asked_at timestamptz,
  confirmed_at timestamptz,
  unique (client_id, address)
);
create index mail_addresses_asked on mail_addresses (client_id, asked_at);
comment on table mail_addresses is
  'Addresses that an organization may send reports to, once confirmed. Unconfirmed ones are removed after 30 days.';
comment on column mail_addresses.address is 'In lower case.';
comment on column mail_addresses.asked_at is 'When the last e-mail that asks to confirm was written; null where an operator confirmed it.';
comment on column mail_addresses.confirmed_at is 'Null until its owner or an operator has confirmed it.';
