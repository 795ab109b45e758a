-- Calls, their lines, and the records of their conversations.

create table all_calls (
  call_id text not null,
  organization_id uuid not null,
  agent_id uuid not null,
  agent_version integer not null,
  campaign_id uuid,
  contact_id bigint,
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
  voice text,
  session jsonb,
  dnd_check_skipped boolean not null default false,

  stage text not null default 'claimed',
  call_status text not null default 'queued',
  final_status text generated always as (
    case when call_status in ('queued', 'dialing', 'ringing', 'in progress') then null else call_status end) stored,
  end_reason text,

  accepted_at timestamptz not null,
  not_before timestamptz,
  dial_until timestamptz,
  waiting_since timestamptz,
  granted_at timestamptz,
  dial_slot_at timestamptz,
  preparing_until timestamptz,
  requested_at timestamptz,
  pending_until timestamptz,
  not_after timestamptz,
  carrier_id text,
  deadline_at timestamptz,
  reported_at timestamptz,
  dialing_at timestamptz,
  ringing_at timestamptz,
  answered_at timestamptz,
  answered_by text,
  hang_up_requested_at timestamptz,
  orphaned_at timestamptz,
  orphaned_by text,
  line_kept_until timestamptz,
  to_start_since timestamptz,
  ended_at timestamptz,
  duration_ms bigint not null default 0,
  call_cost numeric(14, 4) not null default 0,

  will_retry boolean not null default false,
  next_attempt_at timestamptz,
  transfers integer not null default 0,
  action_requests integer not null default 0,
  do_not_call boolean not null default false,
  callback_requested boolean not null default false,
  callback_id text,
  callback_status text,
  callback_at timestamptz,
  callback_of text,
  callback_depth integer not null default 0,

  emitted_segments integer not null default 0,
  post_processing_status text not null default 'not_processed',
  summary text,
  entity jsonb,
  eval_tag text,
  conversation_eval jsonb,
  conversation_quality jsonb,
  tags text[] not null default '{}',
  outcome text,
  concluded_at timestamptz,
  erased_at timestamptz,
  agent_ticket bigint,
  agent_claim bytea,
  month date
) partition by list (month);

-- Calls that can still change. Writers name this table instead of all_calls, so the number of months doesn't slow them
-- down. Only this partition has foreign keys, because creating or dropping a month with foreign keys would lock the
-- tables that they refer to. Every call leaves several dead rows, so vacuum starts at 1 %.
create table calls partition of all_calls (
  primary key (call_id),
  foreign key (organization_id) references organizations,
  foreign key (agent_id) references agents,
  foreign key (campaign_id) references campaigns,
  foreign key (contact_id) references contacts,
  -- Prevents a second dial of the same attempt. The row stays here while its campaign can dial.
  unique (contact_id, attempt)
) for values in (null)
  with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);

-- Indexes for the filters of the call history. They ascend and are read backwards, because an index that grows at its
-- end stays denser. call_status has no index, because then every ring and answer would add entries to all indexes
-- instead of rewriting only the row.
create index calls_history on all_calls (organization_id, accepted_at, call_id);
create index calls_of_final_status on all_calls (organization_id, final_status, accepted_at, call_id) where final_status is not null;
create index calls_of_agent on all_calls (organization_id, agent_id, accepted_at, call_id) include (final_status);
create index calls_of_campaign on all_calls (campaign_id, accepted_at, call_id) include (organization_id, final_status)
  where campaign_id is not null;
-- Indexes for the engine. Waiting calls have no index on stage alone: with statistics from a time without calls, Postgres would choose it
-- and read the waiting calls of every organization at each grant.
create index calls_waiting on calls (organization_id, campaign_id, waiting_since, contact_id) where stage in ('claimed', 'waiting');
create index calls_open on calls (campaign_id, stage) where stage <> 'over';
create index calls_live on calls (stage) where stage in ('granted', 'requested', 'placed');
create index calls_unconcluded on calls (campaign_id) where stage = 'over' and concluded_at is null;
create index calls_to_hang_up on calls (hang_up_requested_at) where hang_up_requested_at is not null and stage in ('requested', 'placed');
create index calls_orphaned on calls (line_kept_until) where line_kept_until is not null and stage = 'placed';
create index calls_to_start on calls (to_start_since) where to_start_since is not null;
create index calls_callback_of on calls (callback_of) where callback_of is not null;
-- The carrier reports an inbound call repeatedly until we respond. All reports are of the same call.
create unique index calls_of_callers on calls (carrier_id) where direction = 'Incoming' and medium = 'telephony';
-- Used by retention to read calls in pages. A call is added once, when it ends.
create index calls_ended on all_calls (organization_id, ended_at, call_id) where stage = 'over';
-- Finds a person's calls for erasure, outbound by callee and inbound by the digits of the caller's number. The caps of
-- rule profiles count an organization's calls to a number.
create index calls_by_callee on all_calls (to_number, organization_id) where direction = 'Outbound';
create index calls_by_caller on all_calls (regexp_replace(split_part(from_number, '@', 1), '\D', '', 'g')) where direction = 'Incoming' and medium = 'telephony';

comment on table all_calls is 'Has one row per call attempt, inbound call and browser session. Its id is also the id of the workflow.';
comment on table calls is 'Calls that are not archived. Archived calls are in one partition per month of their ids, in UTC (archive_calls).';
comment on column all_calls.month is 'First day of the month that the call is archived in; null until then.';
comment on column all_calls.attempt is 'Number of this dial among the dials of the contact. Null for a callback, which is not counted, and for a call without a contact.';
comment on column all_calls.voice is 'Voice that the dispatch asked for.';
comment on column all_calls.session is
  'Voice and greeting that the dispatch of a browser session asked for; null for a phone call.';
comment on column all_calls.dnd_check_skipped is 'The dispatch allowed calling a number that is on a do-not-disturb list.';
comment on column all_calls.stage is
  'claimed -> waiting -> granted (holds a line) -> requested (the carrier may have the request) -> placed -> over.';
comment on column all_calls.final_status is 'Final value of call_status; null until then.';
comment on column all_calls.not_before is 'For a callback without a campaign: its workflow sleeps until this time.';
comment on column all_calls.dial_until is 'For a callback without a campaign: it must not be dialled from this time on.';
comment on column all_calls.dial_slot_at is 'Slot of the call on the trunk.';
comment on column all_calls.preparing_until is 'While the stage is granted: until this time a worker may wait for the agent or the do-not-disturb registry, so the call needs no wake-up.';
comment on column all_calls.requested_at is 'When the carrier was asked to dial, or the browser session opened.';
comment on column all_calls.pending_until is 'While the stage is requested: until this time a phone can ring before the carrier shows the call.';
comment on column all_calls.not_after is 'The carrier must not accept the request from this time on.';
comment on column all_calls.reported_at is 'When the carrier last reported on the call.';
comment on column all_calls.hang_up_requested_at is 'When a person asked to hang up the call.';
comment on column all_calls.orphaned_at is 'When we lost the phone call: it may continue, but we cannot hang it up.';
comment on column all_calls.orphaned_by is 'The process that died: bridge or livekit. Also livekit if that is unknown.';
comment on column all_calls.line_kept_until is 'For an orphaned call: the latest time at which it ends and its line is released.';
comment on column all_calls.to_start_since is 'For an inbound call whose workflow is not known to run: the time since which it should run.';
comment on column all_calls.will_retry is 'The contact will be redialled at next_attempt_at.';
comment on column all_calls.do_not_call is 'The person asked not to be called again.';
comment on column all_calls.action_requests is 'How often its agent received the secret headers of an action''s request.';
comment on column all_calls.transfers is 'How often its agent asked to transfer the call, refused or not (start_transfer).';
comment on column all_calls.callback_at is 'Due time of the callback that this call asked for.';
comment on column all_calls.callback_of is 'Call that asked for this callback.';
comment on column all_calls.callback_depth is 'Number of callbacks that led to this call.';
comment on column all_calls.emitted_segments is
  'Highest seq of its segments. Counted under the lock of the row, so that a later segment is never committed before an earlier one.';
comment on column all_calls.concluded_at is 'When the call was processed and its webhook written. Only the delivery remains.';
comment on column all_calls.agent_ticket is 'When the ticket of the agent''s job expires, in milliseconds since the epoch; 0 for an inbound call.';
comment on column all_calls.agent_claim is 'SHA-256 of the secret that authenticates the process of that job.';
comment on column all_calls.erased_at is 'When the person of the call was erased. Data that arrives later is not stored.';

-- The table has few rows and every call adds and removes one, so vacuum starts at a fixed number of dead rows.
create table lines (
  call_id text primary key,
  organization_id uuid not null,
  campaign_id uuid,
  number text,
  is_caller boolean not null default false,
  taken_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index lines_of_organization on lines (organization_id);
create index lines_of_campaign on lines (campaign_id);
create unique index lines_of_number on lines (organization_id, number) where number is not null;
comment on table lines is 'Each row is the right to have one live call, owned by that call and counted against campaign and organization.';
comment on column lines.number is
  'Number of the callee or caller, because an organization has at most one live call with it. Null for a browser session or a withheld number.';
comment on column lines.is_caller is 'The line of an inbound call. Inbound calls may use a share of the lines (organizations.caller_lines).';

-- Rows are only inserted until retention, so inserts must trigger the vacuum that marks pages as visible to all.
create table all_call_segments (
  call_id text not null,
  start_ms integer not null,
  speaker text not null,
  end_ms integer not null,
  text text not null,
  seq integer not null,
  interrupted boolean not null default false,
  confidence real,
  language text,
  month date
) partition by list (month);
create table call_segments partition of all_call_segments (primary key (call_id, start_ms, speaker)) for values in (null)
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table call_segments is 'Segments of calls that are not archived. The others are in the month of their call and are dropped with it.';
comment on column all_call_segments.seq is 'Position in the order in which the segments of the call arrived.';
comment on column all_call_segments.interrupted is 'The caller or callee interrupted it.';
comment on column all_call_segments.confidence is 'Confidence of the speech recognition, from 0 to 1.';

-- Rows are only inserted until retention. Vacuum also merges the pending list of the GIN index, which every search reads in full.
create table call_words (
  call_id text primary key,
  organization_id uuid not null,
  agent_id uuid not null,
  campaign_id uuid,
  final_status text,
  accepted_at timestamptz not null,
  words tsvector not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- A word of a transcript never matches an owner, because each column of a GIN index has its own keys.
create index call_words_said on call_words using gin (words, (array[organization_id::text, agent_id::text, campaign_id::text, final_status]));
create index call_words_by_time on call_words (organization_id, accepted_at, call_id);
comment on table call_words is
  'Words of the transcripts of concluded calls, for searches (write_words). A table of its own keeps rows of calls small.';
comment on column call_words.words is
  'Words of caller or callee and agent, without their order. The column has nothing else, so that no word matches an owner.';

create table caption_listeners (
  call_id text primary key references calls on delete cascade,
  until timestamptz not null
);
comment on table caption_listeners is
  'Calls with listeners to live captions. Notifications are sent for these calls only, until a time by the clock of the database that listeners renew.';

create table call_reports (
  call_id text primary key,
  usage jsonb,
  usage_at timestamptz,
  callback_requested_at timestamptz,
  callback_at timestamptz
);
comment on table call_reports is
  'Reports of the agent about a call, without personal data. A table of its own keeps rows of calls small.';
comment on column call_reports.usage is
  '{models: [{kind, provider, model, purpose, …, cost}], responseMs: [], interruptions}. The last report counts.';
comment on column call_reports.callback_requested_at is 'When the agent asked for a callback.';
comment on column call_reports.callback_at is 'Time of the callback; null if the agent named none.';

create table call_analyses (
  call_id text primary key,
  requested_at timestamptz not null,
  check_at timestamptz not null,
  answer jsonb,
  model text,
  usage jsonb,
  failure text,
  method text check (method in ('model', 'rules'))
);
comment on table call_analyses is 'Analyses of calls by a language model.';
comment on column call_analyses.check_at is 'When reconciliation checks that the analysis is in progress.';
comment on column call_analyses.answer is 'Validated answer of the model. Kept until the call is concluded, because the row of the call then has the findings.';
comment on column call_analyses.usage is 'Usage and cost of the model, as in call_reports.';
comment on column call_analyses.failure is 'Reason for the last failure, from a fixed list.';
comment on column call_analyses.method is 'Method of the analysis; null until the call is concluded.';

create table recordings (
  call_id text primary key,
  storage_key text not null,
  content_type text not null,
  bytes bigint not null,
  stored_at timestamptz not null
);
comment on table recordings is
  'Recordings of calls. A table of its own keeps rows of calls small, because most calls have no recording.';
comment on column recordings.storage_key is 'Key of the file in the storage.';
