-- Organisations, how they authenticate, and what is kept of their requests.

-- Few rows that are read for each request: a number of dead rows starts the vacuum.
create table clients (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now(),
  max_concurrency integer not null default 10 check (max_concurrency >= 1),
  caller_lines integer check (caller_lines >= 0),
  dispatch_per_minute integer check (dispatch_per_minute >= 0),
  other_per_minute integer check (other_per_minute >= 0),
  spend_per_day numeric(14, 4) check (spend_per_day >= 0),
  campaign_spend_per_day numeric(14, 4) check (campaign_spend_per_day >= 0),
  breaker_failure_rate numeric(4, 3) check (breaker_failure_rate between 0 and 1),
  spend_exempt text[] not null default '{}' check (spend_exempt <@ array['callers', 'dispatches']),
  recent_dials text not null default '',
  recordings_days integer check (recordings_days >= 1),
  transcripts_days integer check (transcripts_days >= 1),
  contacts_days integer check (contacts_days >= 1),
  quotas jsonb not null default '{}'
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table clients is 'Organisations. Its row is the lock under which lines are granted.';
comment on column clients.max_concurrency is 'Lines: live calls at once, over all campaigns and dispatches.';
comment on column clients.caller_lines is 'Lines that callers may take; null for all but one line in five, 0 lets no caller in (caller_lines_of).';
comment on column clients.dispatch_per_minute is 'Requests that dispatch a call; null where the configured limit holds, 0 for none.';
comment on column clients.other_per_minute is 'All other requests; null where the configured limit holds, 0 for none.';
comment on column clients.spend_per_day is 'Brake: credits a UTC day; null where the configured one holds, 0 for none.';
comment on column clients.campaign_spend_per_day is 'Brake of each campaign: credits a UTC day; null where the configured one holds, 0 for none.';
comment on column clients.breaker_failure_rate is 'Brake: the share of dials that the carrier failed; null where the configured one holds, 0 for none.';
comment on column clients.spend_exempt is 'Calls that go on although spend_per_day is reached (is_past_spend).';
comment on column clients.recent_dials is 'The latest dials, the last at the end: 1 where the carrier failed, 0 where it did not.';
comment on column clients.quotas is 'Its own quotas by name, 0 for none; the configured ones hold for those that it lacks.';
comment on column clients.recordings_days is 'Days after a call''s end; null keeps for ever.';
comment on column clients.transcripts_days is 'Days after a call''s end; null keeps for ever.';
comment on column clients.contacts_days is 'Days after a campaign''s end; null keeps for ever.';

create table api_keys (
  id uuid primary key,
  client_id uuid not null references clients,
  prefix text not null,
  key_hash bytea not null unique,
  label text,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  made_by uuid references api_keys on delete set null,
  scopes text[] check (cardinality(scopes) > 0 and scopes <@ array['read', 'operate', 'configure'])
);
create index api_keys_of_client on api_keys (client_id, created_at desc, id);
create index api_keys_made_by on api_keys (made_by) where made_by is not null;
comment on column api_keys.label is 'What an operator calls the key.';
comment on column api_keys.last_used_at is 'To the minute.';
comment on column api_keys.made_by is 'The key that made it, also through a session, and with which it is revoked; null of a key that an operator made.';
comment on column api_keys.scopes is 'What the key may do; null for all.';

create table console_tokens (
  id uuid not null unique,
  token_hash bytea primary key,
  kind text not null check (kind in ('session', 'sign_in')),
  key_id uuid not null references api_keys on delete cascade,
  address text,
  shows_workflows boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index console_tokens_of_key on console_tokens (key_id, kind, created_at, id);
create index console_tokens_by_age on console_tokens (expires_at);
comment on table console_tokens is 'What opens the console in place of an API key, as long as that key is valid: sessions of browsers, and links that make one once.';
comment on column console_tokens.id is 'Names a session in lists. It does not open it.';
comment on column console_tokens.address is 'The client address of the sign-in; null of a link.';
comment on column console_tokens.shows_workflows is 'The operator who made the link lets it show Temporal''s Web UI.';

create table signing_secrets (
  id uuid primary key,
  client_id uuid not null references clients,
  secret_encrypted bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index signing_secrets_of_client on signing_secrets (client_id);
comment on table signing_secrets is 'What webhooks are signed with.';

create table audit_log (
  id bigint generated always as identity,
  at timestamptz not null,
  client_id uuid,
  actor_kind text not null check (actor_kind in ('api_key', 'operator', 'agent', 'visitor')),
  actor_id text not null,
  address text,
  request_id text,
  action text not null,
  subject_id text not null,
  fields text[] not null default '{}',
  primary key (at, id)
) partition by range (at);
create table audit_log_other partition of audit_log default
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index audit_log_of_client on audit_log (client_id, at desc, id desc);
create index audit_log_of_subject on audit_log (subject_id, at desc, id desc);
create index audit_log_of_actor on audit_log (client_id, actor_id, at desc, id desc);
create index audit_log_of_action on audit_log (client_id, action, at desc, id desc);
-- Keys make nearly all of it.
create index audit_log_of_others on audit_log (client_id, actor_kind, at desc, id desc) where actor_kind <> 'api_key';
comment on table audit_log is 'Who changed what. Kept when its subject is gone, so it refers to nothing. A partition for each month (keep_months).';
comment on table audit_log_other is 'What is of no month that has its partition yet.';
comment on column audit_log.actor_id is 'The id of the API key or of the agent, or the name of the operator who ran the command. A visitor failed to sign in.';
comment on column audit_log.address is 'The client address of the request; null at the command line and of an agent.';
comment on column audit_log.action is 'noun.verb, such as campaign.update.';
comment on column audit_log.fields is 'Names of the fields that were changed, never their values: these may be personal. Of a transfer: its masked destination, and why it was refused.';

-- The columns, and their order, are those that rate-limiter-flexible writes.
create unlogged table rate_limit_windows (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
comment on table rate_limit_windows is
  'Unlogged, because every request writes here: nothing is flushed to disk for it. A crash of the server empties it, and every client''s minute begins anew.';
comment on column rate_limit_windows.key is 'dispatch or other, and the client''s id.';
comment on column rate_limit_windows.points is 'Requests since the window began.';
comment on column rate_limit_windows.expire is 'When the window ends, in milliseconds since the epoch.';

create table idempotency_keys (
  client_id uuid not null references clients on delete cascade,
  key text not null,
  fingerprint bytea not null,
  subject_id text not null,
  created_at timestamptz not null,
  leased_until timestamptz not null,
  answer bytea,
  primary key (client_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_of_subject on idempotency_keys (subject_id);
comment on column idempotency_keys.fingerprint is 'SHA-256 of the operation and its input.';
comment on column idempotency_keys.subject_id is
  'The id of what the request makes, chosen before it is made: whoever goes on with the request uses the same one.';
comment on column idempotency_keys.leased_until is 'Until then whoever reserved the key is taken to be at work.';
comment on column idempotency_keys.answer is 'Encrypted; null until the request has succeeded.';
