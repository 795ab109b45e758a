-- Webhook deliveries (one event to one URL each) and their attempts.

create table webhook_deliveries (
  id uuid primary key,
  event_id uuid not null,
  organization_id uuid not null,
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
create index webhook_deliveries_of_organization on webhook_deliveries (organization_id, created_at, id);
create index webhook_deliveries_of_status on webhook_deliveries (organization_id, status, created_at, id);
create index webhook_deliveries_of_campaign on webhook_deliveries (campaign_id, created_at, id)
  include (organization_id, status) where campaign_id is not null;
create index webhook_deliveries_of_call on webhook_deliveries (call_id) where call_id is not null;
create index webhook_deliveries_pending on webhook_deliveries (next_attempt_at) where status = 'pending';
comment on table webhook_deliveries is
  'Deliveries of an event to a URL, in one partition per month of their ids (keep_partitions). It has no foreign keys, so that creating and dropping a month locks no other table.';
comment on column webhook_deliveries.attempts_made is 'Number of the last attempt. Early attempts are not kept forever.';
comment on column webhook_deliveries.earlier_attempts is
  'Attempts in earlier rounds. A redelivery starts a new round.';

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
comment on table webhook_attempts is 'Attempts, in the partition of their delivery''s month, which is dropped together with the deliveries.';

create unlogged table receiver_slots (
  id integer generated always as identity primary key,
  receiver text not null,
  slot integer not null,
  taken_until timestamptz not null,
  unique (receiver, slot)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table receiver_slots is
  'Slots for concurrent webhook requests to a receiver. Unlogged, because every attempt writes here; a crash of the server releases all slots.';
comment on column receiver_slots.receiver is 'Organization, scheme, host and port.';
