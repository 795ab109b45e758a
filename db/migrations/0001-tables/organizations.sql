-- Organizations, their credentials, and records of their requests.

-- The table has few rows and every request reads one, so vacuum starts at a fixed number of dead rows.
create table organizations (
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
  quotas jsonb not null default '{}',
  rule_profile text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table organizations is 'Organizations. Granting lines locks the row of the organization.';
comment on column organizations.max_concurrency is 'Maximum number of lines (live calls) over all campaigns, dispatches and callers.';
comment on column organizations.caller_lines is 'Lines that inbound calls may use; null for four fifths of max_concurrency, 0 for none (caller_lines_of).';
comment on column organizations.dispatch_per_minute is 'Rate limit of requests that dispatch a call; null for the configured limit, 0 for no limit.';
comment on column organizations.other_per_minute is 'Rate limit of all other requests; null for the configured limit, 0 for no limit.';
comment on column organizations.spend_per_day is 'Spend limit in credits per UTC day; null for the configured limit, 0 for no limit.';
comment on column organizations.campaign_spend_per_day is 'Spend limit of each campaign in credits per UTC day; null for the configured limit, 0 for no limit.';
comment on column organizations.breaker_failure_rate is 'Share of dials failed by the carrier that opens the circuit breaker; null for the configured one, 0 for none.';
comment on column organizations.spend_exempt is 'Kinds of calls that continue after spend_per_day is reached (is_past_spend).';
comment on column organizations.recent_dials is 'The latest dials, oldest first: 1 if the carrier failed, 0 if it did not.';
comment on column organizations.rule_profile is 'Rule profile for all campaigns and callbacks, as in campaigns.rule_profile; null for none.';
comment on column organizations.quotas is 'Quotas of the organization by name, 0 for no limit. The configured quotas apply to the others.';
comment on column organizations.recordings_days is 'Days to keep recordings after the end of a call; null keeps them forever.';
comment on column organizations.transcripts_days is 'Days to keep transcripts after the end of a call; null keeps them forever.';
comment on column organizations.contacts_days is 'Days to keep contacts after the end of a campaign; null keeps them forever.';

create table rule_profiles (
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  profile jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, name)
);
comment on table rule_profiles is 'Rule profiles that organizations have defined (docs/rules.md).';

create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations,
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
create index api_keys_of_organization on api_keys (organization_id, created_at desc, id);
create index api_keys_made_by on api_keys (made_by) where made_by is not null;
comment on column api_keys.label is 'Name of the key, for operators.';
comment on column api_keys.last_used_at is 'Accurate to the minute.';
comment on column api_keys.made_by is 'The key that created this key, directly or through a console session. Revoking it revokes this key too. Null if an operator created this key.';
comment on column api_keys.scopes is 'Actions that the key allows; null for all.';

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
comment on table console_tokens is 'Tokens that open the console without the API key while that key is valid: browser sessions, and one-time links that create a session.';
comment on column console_tokens.id is 'Identifies a session in lists. It does not authenticate.';
comment on column console_tokens.address is 'IP address of the browser that signed in; null for a link.';
comment on column console_tokens.shows_workflows is 'The operator who created the link allowed it to show Temporal''s Web UI.';

create table signing_secrets (
  id uuid primary key,
  organization_id uuid not null references organizations,
  secret_encrypted bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index signing_secrets_of_organization on signing_secrets (organization_id);
comment on table signing_secrets is 'Secrets that webhooks are signed with.';

create table audit_log (
  id bigint generated always as identity,
  at timestamptz not null,
  organization_id uuid,
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
create index audit_log_of_organization on audit_log (organization_id, at desc, id desc);
create index audit_log_of_subject on audit_log (subject_id, at desc, id desc);
create index audit_log_of_actor on audit_log (organization_id, actor_id, at desc, id desc);
create index audit_log_of_action on audit_log (organization_id, action, at desc, id desc);
-- Leaves out API keys, which are the actors of nearly all rows.
create index audit_log_of_others on audit_log (organization_id, actor_kind, at desc, id desc) where actor_kind <> 'api_key';
comment on table audit_log is 'Records who changed what, in monthly partitions (keep_partitions). It has no foreign keys, because entries outlive their subjects.';
comment on table audit_log_other is 'Entries whose month has no partition yet.';
comment on column audit_log.actor_id is 'Id of the API key or agent, or name of the operator who ran the command. A visitor is a browser that failed to sign in.';
comment on column audit_log.address is 'IP address of the request; null for commands and agents.';
comment on column audit_log.action is 'Has the form noun.verb, such as campaign.update.';
comment on column audit_log.fields is 'Names of the changed fields, never their values, because values can be personal. For a transfer: its masked destination, and the reason if it was refused.';

-- rate-limiter-flexible requires these columns in this order.
create unlogged table rate_limit_windows (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
comment on table rate_limit_windows is
  'Unlogged, because every request writes here and nothing needs to reach the disk. A crash of the server empties it, and every rate limit window starts again.';
comment on column rate_limit_windows.key is 'dispatch or other, and the id of the organization.';
comment on column rate_limit_windows.points is 'Requests since the start of the window.';
comment on column rate_limit_windows.expire is 'End of the window in milliseconds since the epoch.';

create table idempotency_keys (
  organization_id uuid not null references organizations on delete cascade,
  key text not null,
  fingerprint bytea not null,
  subject_id text not null,
  created_at timestamptz not null,
  leased_until timestamptz not null,
  answer bytea,
  primary key (organization_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_of_subject on idempotency_keys (subject_id);
comment on column idempotency_keys.fingerprint is 'SHA-256 of the operation and its input.';
comment on column idempotency_keys.subject_id is
  'Id of the resource that the request creates. It is chosen first, so that a retry creates the same resource.';
comment on column idempotency_keys.leased_until is 'The process that reserved the key is considered to be working on the request until this time.';
comment on column idempotency_keys.answer is 'The encrypted response; null until the request has succeeded.';
