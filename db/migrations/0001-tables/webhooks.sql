-- The ledger of webhooks: an event on its way to a URL, and each attempt to deliver it.

create table webhook_deliveries (
  id uuid primary key,
  event_id uuid not null,
  client_id uuid not null,
  campaign_id uuid,
  call_id text,
  event text not null,
  url text not null,
  body text not null,
  status text not null default 'pending',
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  attempts_made integer not null default 0,
  earlier_attempts integer not null default 0
) partition by range (id);
create table webhook_deliveries_other partition of webhook_deliveries default;
create index webhook_deliveries_of_client on webhook_deliveries (client_id, created_at, id);
create index webhook_deliveries_of_status on webhook_deliveries (client_id, status, created_at, id);
create index webhook_deliveries_of_campaign on webhook_deliveries (campaign_id, created_at, id)
  include (client_id, status) where campaign_id is not null;
create index webhook_deliveries_of_call on webhook_deliveries (call_id) where call_id is not null;
create index webhook_deliveries_pending on webhook_deliveries (next_attempt_at) where status = 'pending';
comment on table webhook_deliveries is
  'An event on its way to a URL. A partition for each month of its ids (keep_months). It refers to nothing, so that a month comes and goes without a lock of calls, campaigns or clients.';
comment on column webhook_deliveries.attempts_made is 'The number of the last attempt, of which the first are not kept for ever.';
comment on column webhook_deliveries.earlier_attempts is
  'A redelivery is a new round of attempts: how many were made in the rounds before it.';

create table webhook_attempts (
  delivery_id uuid not null,
  attempt integer not null,
  at timestamptz not null,
  status_code integer,
  duration_ms integer not null,
  error text,
  primary key (delivery_id, attempt)
) partition by range (delivery_id);
create table webhook_attempts_other partition of webhook_attempts default;
comment on table webhook_attempts is 'In the partition of its delivery''s month, with which it is dropped.';

create unlogged table receiver_turns (
  id integer generated always as identity primary key,
  receiver text not null,
  slot integer not null,
  taken_until timestamptz not null,
  unique (receiver, slot)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table receiver_turns is
  'Webhook requests that may be under way to one client''s endpoint. Unlogged, because every attempt writes here: a crash of the server ends all turns.';
comment on column receiver_turns.receiver is 'The client, and the scheme, host and port.';
