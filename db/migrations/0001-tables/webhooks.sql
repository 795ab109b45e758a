-- The ledger of webhooks: an event on its way to a URL, and each attempt to deliver it.

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
  next_attempt_at timestamptz,
  earlier_attempts integer not null default 0
);
create index webhook_deliveries_of_client on webhook_deliveries (client_id, created_at, id);
create index webhook_deliveries_of_status on webhook_deliveries (client_id, status, created_at, id);
create index webhook_deliveries_of_campaign on webhook_deliveries (campaign_id, created_at, id)
  include (client_id, status) where campaign_id is not null;
create index webhook_deliveries_of_call on webhook_deliveries (call_id) where call_id is not null;
create index webhook_deliveries_pending on webhook_deliveries (next_attempt_at) where status = 'pending';
comment on column webhook_deliveries.earlier_attempts is
  'A redelivery is a new round of attempts: how many were made in the rounds before it.';

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries,
  attempt integer not null,
  at timestamptz not null,
  status_code integer,
  duration_ms integer not null,
  error text,
  primary key (delivery_id, attempt)
);
