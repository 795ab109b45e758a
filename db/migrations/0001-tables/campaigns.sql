-- Campaigns, their contacts, and the e-mails about their end.

-- The table has few rows and every call updates one when it ends, so vacuum starts at a fixed number of dead rows.
create table campaigns (
  id uuid primary key,
  organization_id uuid not null references organizations,
  agent_id uuid not null references agents,
  campaign_name text not null,
  status text not null,
  status_reason text,
  paused_with_all boolean not null default false,
  reported_status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,

  contact_source_type text not null,
  contact_file_key text,
  contact_file_bytes bigint not null default 0,
  contact_file_rows integer not null default 0,
  contact_columns text[] not null default '{}',
  contact_list_id uuid references contact_lists on delete set null,
  contacts_erased_at timestamptz,

  days_of_week text not null,
  start_minute integer not null,
  end_minute integer not null,
  from_date text not null,
  to_date text not null,
  window_timezone text,
  rule_profile text,
  zone_keys text[] not null default '{""}',
  max_attempts integer not null,
  retry_delay_mins integer not null,
  concurrency integer not null check (concurrency >= 1),
  perform_dnd_check boolean not null default false,
  notification_emails text[] not null default '{}',
  webhook_url text,
  per_call_webhook_url text,

  dialing_until timestamptz,
  last_granted_at timestamptz,
  refill_requested_at timestamptz,
  check_at timestamptz not null,
  recent_dials text not null default '',

  total_contacts integer not null,
  in_progress_contacts integer not null default 0,
  completed_contacts integer not null default 0,
  failed_contacts integer not null default 0,
  kept_contacts integer not null generated always as (case when contacts_erased_at is null then total_contacts else 0 end) stored,
  kept_file_bytes bigint not null generated always as (case when contact_file_key is null then 0 else contact_file_bytes end) stored
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index campaigns_of_organization on campaigns (organization_id, created_at desc, id desc);
create index campaigns_of_status on campaigns (organization_id, status, created_at, id);
create index campaigns_active on campaigns (organization_id) where status = 'active';
create index campaigns_open on campaigns (id) where ended_at is null;
create index campaigns_of_list on campaigns (contact_list_id) where contact_list_id is not null;
create index campaigns_keeping on campaigns (organization_id, ended_at) where ended_at is not null and contacts_erased_at is null;
comment on column campaigns.reported_status is 'Last of the four reported statuses that a webhook has sent. It becomes old_status of the next webhook.';
comment on column campaigns.paused_with_all is
  'Paused by a pause of all campaigns, and not paused, resumed or changed since. Only these campaigns are resumed by a resume of all.';
comment on column campaigns.contact_file_key is 'Null after a person in the file was erased. From then on, the file is generated from the contacts.';
comment on column campaigns.kept_contacts is 'Counts towards the quota contacts (count_contacts).';
comment on column campaigns.kept_file_bytes is 'Counts towards the quota contact_file_bytes (count_contacts).';
comment on column campaigns.contact_file_rows is 'Row of the last contact in its file; 0 without a file. Contacts in later rows were appended.';
comment on column campaigns.contact_columns is
  'Columns of the file in their order, which the JSON of the contacts'' variables does not keep. Then the names of other variables of appended contacts.';
comment on column campaigns.contacts_erased_at is 'When retention erased its contacts and its file.';
comment on column campaigns.start_minute is 'Start of the daily window in minutes after midnight, in UTC or window_timezone.';
comment on column campaigns.contact_list_id is 'List that it was created from; null for a file or a deleted list.';
comment on column campaigns.window_timezone is
  'Zone of the window, weekdays and dates: an IANA name, or `contact` for the zone of each contact; null for UTC.';
comment on column campaigns.rule_profile is 'Name of a shipped rule profile or of one in rule_profiles; null for none.';
comment on column campaigns.zone_keys is 'All values of contacts.zone_key, so that due contacts are found zone by zone.';
comment on column campaigns.max_attempts is 'Maximum number of dials per contact: 1 means no redial.';
comment on column campaigns.dialing_until is
  'When dialling must stop. The campaign''s workflow sets it while its window is open.';
comment on column campaigns.last_granted_at is 'When the campaign last got a line. Lines are shared among the campaigns of an organization by this order.';
comment on column campaigns.refill_requested_at is
  'When the workflow was asked to survey the campaign; null once it has. This allows one signal per page of calls, which is repeated if it is lost.';
comment on column campaigns.check_at is 'When reconciliation checks that its workflow runs. Each survey by the workflow postpones it.';
comment on column campaigns.recent_dials is 'Latest dials, as in organizations.recent_dials.';

create table contacts (
  id bigint generated always as identity primary key,
  campaign_id uuid not null references campaigns on delete cascade,
  organization_id uuid not null,
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
  external_id text,
  list_contact_id bigint,
  timezone text,
  language text,
  consent_at timestamptz,
  zone_key text not null default '',
  folded_name text collate "C" not null,
  unique (campaign_id, row_number)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
create index contacts_due on contacts (campaign_id, zone_key, next_attempt_at, row_number) where state = 'pending' and call_id is null;
create unique index contacts_of_external_id on contacts (campaign_id, external_id) where external_id is not null;
create index contacts_of_list_contact on contacts (list_contact_id) where list_contact_id is not null;
-- A search for a person starts with the owner, so that it never reads contacts of other organizations.
create index contacts_of_number on contacts (organization_id, phone_number);
create index contacts_of_name on contacts (organization_id, folded_name);
comment on column contacts.organization_id is 'Owner of the campaign, written by index_contact.';
comment on column contacts.folded_name is 'Name normalized for comparison, written by index_contact.';
comment on column contacts.call_id is 'Call that is waiting to dial this contact or dials it now.';
comment on column contacts.external_id is 'The organization''s own id of the contact.';
comment on column contacts.list_contact_id is 'Contact of a list that it was copied from.';
comment on column contacts.timezone is 'IANA name; null for the zones of its number.';
comment on column contacts.consent_at is 'When the person agreed to be called; null if they did not.';
comment on column contacts.zone_key is
  'Contacts with the same key are in the same time zones (domain/rules/number-zones.ts). Empty until a survey under rules that depend on zones fills it.';
comment on column contacts.callback_of is 'Call that asked for the callback that is due next.';

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
  check_at timestamptz not null,
  primary key (campaign_id, recipient)
);
create index completion_mails_pending on completion_mails (check_at) where status = 'pending';
comment on table completion_mails is
  'E-mails about a campaign: one row for each recipient of its report, written when it ends, and for each address that must be confirmed.';
comment on column completion_mails.recipient is
  'Position among the campaign''s recipients, from 1 for reports and from 101 for confirmations. Workflows and logs use it instead of the address.';
comment on column completion_mails.address is 'Empty after the address was erased, or was not confirmed for 30 days.';
comment on column completion_mails.status is
  'pending -> sent | failed (refused, or out of attempts) | skipped (no mail server, no call, or above the daily limit). Unconfirmed addresses start and stay as unconfirmed.';
comment on column completion_mails.last_error is 'Never contains addresses.';
comment on column completion_mails.check_at is 'When reconciliation checks that a workflow is sending it.';

create table mail_addresses (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  address text not null,
  requested_at timestamptz,
  confirmed_at timestamptz,
  unique (organization_id, address)
);
create index mail_addresses_requested on mail_addresses (organization_id, requested_at);
comment on table mail_addresses is
  'Addresses that an organization may send reports to, once confirmed. Unconfirmed ones are removed after 30 days.';
comment on column mail_addresses.address is 'In lower case.';
comment on column mail_addresses.requested_at is 'When the last request to confirm was written; null if an operator confirmed the address.';
comment on column mail_addresses.confirmed_at is 'Null until its owner or an operator has confirmed it.';
