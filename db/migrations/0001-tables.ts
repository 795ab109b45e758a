import type { Knex } from 'knex';

const CLIENTS = `
create table clients (
  id uuid primary key,
  name text not null,
  max_concurrency integer not null default 10 check (max_concurrency >= 1),
  created_at timestamptz not null default now()
);
create table api_keys (
  id uuid primary key,
  client_id uuid not null references clients,
  prefix text not null,
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create table signing_secrets (
  id uuid primary key,
  client_id uuid not null references clients,
  secret_encrypted bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index signing_secrets_of_client on signing_secrets (client_id);`;

const AGENTS = `
create table agents (
  id uuid primary key,
  client_id uuid not null references clients,
  agent_name text not null,
  display_name text not null,
  status text not null,
  published boolean not null default true,
  published_at timestamptz,
  last_edited_at timestamptz not null,
  archived boolean not null default false,
  gsheet_config jsonb,
  version integer not null default 1,
  config jsonb not null,
  created_at timestamptz not null default now(),
  unique (client_id, agent_name)
);
-- A version never changes: a call is judged by the configuration that it ran with.
create table agent_versions (
  agent_id uuid not null references agents,
  version integer not null,
  config jsonb not null,
  created_at timestamptz not null default now(),
  primary key (agent_id, version)
);`;

const CAMPAIGNS = `
create table campaigns (
  id uuid primary key,
  client_id uuid not null references clients,
  agent_id uuid not null references agents,
  campaign_name text not null,
  status text not null,
  status_reason text,
  -- The last of the four announced statuses that a webhook named: old_status of the next.
  announced_status text not null,
  contact_source_type text not null,
  contact_file_key text not null,
  days_of_week text not null,
  start_minute integer not null,
  end_minute integer not null,
  from_date text not null,
  to_date text not null,
  max_retries integer not null,
  retry_after_mins integer not null,
  call_concurrency integer not null check (call_concurrency >= 1),
  notification_emails text[] not null default '{}',
  webhook_url text,
  per_call_webhook_url text,
  perform_dnd_check boolean not null default false,
  -- Set by the campaign's workflow while its window is open: the instant at which dialling must stop.
  dialing_until timestamptz,
  -- The fair turn among a client's campaigns.
  last_granted_at timestamptz,
  -- The workflow is to look at the campaign and has not yet: one signal a page of calls, not one a call; repeated if it is lost.
  refill_asked_at timestamptz,
  total_contacts integer not null,
  in_progress_contacts integer not null default 0,
  completed_contacts integer not null default 0,
  failed_contacts integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz
);
create index campaigns_of_client on campaigns (client_id, created_at desc, id desc);
create index campaigns_active on campaigns (client_id) where status = 'active';
create index campaigns_open on campaigns (id) where ended_at is null;
create table contacts (
  id bigint generated always as identity primary key,
  campaign_id uuid not null references campaigns on delete cascade,
  row_number integer not null,
  name text not null,
  phone_number text not null,
  variables jsonb not null,
  state text not null default 'pending',
  reason text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  -- The call that is to dial or dials this contact now.
  call_id text,
  unique (campaign_id, row_number)
);
create index contacts_due on contacts (campaign_id, next_attempt_at, row_number) where state = 'pending' and call_id is null;`;

const CALLS = `
create table calls (
  call_id text primary key,
  client_id uuid not null references clients,
  agent_id uuid not null references agents,
  agent_version integer not null,
  campaign_id uuid references campaigns,
  contact_id bigint references contacts,
  attempt integer,
  medium text not null default 'telephony',
  call_type text not null,
  direction text not null,
  name text,
  from_number text,
  to_number text,
  metadata jsonb not null default '{}',
  modify_agent jsonb,
  x_agent_id text,
  -- Of a dispatch: the voice it asked for, and whether its number may be called although it is on a do-not-disturb list.
  voice text,
  dnd_check_skipped boolean not null default false,
  -- claimed -> waiting -> granted (holds a line) -> asking (the carrier may have the request) -> placed -> over
  stage text not null default 'claimed',
  call_status text not null default 'queued',
  end_reason text,
  accepted_at timestamptz not null,
  waiting_since timestamptz,
  granted_at timestamptz,
  asked_at timestamptz,
  not_after timestamptz,
  carrier_id text,
  heard_at timestamptz,
  dialing_at timestamptz,
  ringing_at timestamptz,
  answered_at timestamptz,
  answered_by text,
  ended_at timestamptz,
  duration_ms bigint not null default 0,
  call_cost numeric(14, 4) not null default 0,
  -- What follows from the end: does the contact get another dial, and when.
  will_retry boolean not null default false,
  next_attempt_at timestamptz,
  post_processing_status text not null default 'not_processed',
  summary text,
  entity jsonb,
  eval_tag text,
  conversation_eval jsonb,
  conversation_quality jsonb,
  tags text[] not null default '{}',
  outcome text,
  callback_requested boolean not null default false,
  callback_id text,
  callback_status text,
  -- Processed, and its webhook written down: nothing of the call is left to do but deliver.
  concluded_at timestamptz,
  -- One row for each dial of a contact: what makes a second dial of the same attempt impossible.
  unique (contact_id, attempt)
);
create index calls_history on calls (client_id, accepted_at desc, call_id desc);
create index calls_of_campaign on calls (campaign_id, accepted_at desc, call_id desc) where campaign_id is not null;
create index calls_waiting on calls (client_id, campaign_id, waiting_since, contact_id) where stage = 'waiting';
create index calls_open on calls (campaign_id, stage) where stage <> 'over';
create index calls_open_stage on calls (stage) where stage <> 'over';
create index calls_unconcluded on calls (ended_at) where stage = 'over' and concluded_at is null;
create table lines (
  call_id text primary key,
  client_id uuid not null,
  campaign_id uuid,
  taken_at timestamptz not null
);
create index lines_of_client on lines (client_id);
create index lines_of_campaign on lines (campaign_id);
create table call_segments (
  call_id text not null references calls,
  start_ms integer not null,
  speaker text not null,
  end_ms integer not null,
  text text not null,
  primary key (call_id, start_ms, speaker)
);`;

const WEBHOOKS = `
create table webhook_deliveries (
  id uuid primary key,
  event_id uuid not null,
  client_id uuid not null references clients,
  campaign_id uuid references campaigns,
  call_id text references calls,
  event text not null,
  url text not null,
  body text not null,
  status text not null default 'pending',
  created_at timestamptz not null,
  next_attempt_at timestamptz
);
create index webhook_deliveries_of_client on webhook_deliveries (client_id, created_at desc, id desc);
create index webhook_deliveries_of_campaign on webhook_deliveries (campaign_id) where campaign_id is not null;
create index webhook_deliveries_of_call on webhook_deliveries (call_id) where call_id is not null;
create index webhook_deliveries_pending on webhook_deliveries (next_attempt_at) where status = 'pending';
create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries,
  attempt integer not null,
  at timestamptz not null,
  status_code integer,
  duration_ms integer not null,
  error text,
  primary key (delivery_id, attempt)
);`;

export async function up(knex: Knex): Promise<void> {
  for (const sql of [CLIENTS, AGENTS, CAMPAIGNS, CALLS, WEBHOOKS]) await knex.raw(sql);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop table webhook_attempts, webhook_deliveries, call_segments, lines, calls, contacts, campaigns,
    agent_versions, agents, signing_secrets, api_keys, clients`);
}
