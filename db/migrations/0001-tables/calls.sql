-- Calls, the lines that they hold, and what is kept of a conversation.

create table all_calls (
  call_id text not null,
  client_id uuid not null,
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
  asked_at timestamptz,
  asked_until timestamptz,
  not_after timestamptz,
  carrier_id text,
  reported_at timestamptz,
  dialing_at timestamptz,
  ringing_at timestamptz,
  answered_at timestamptz,
  answered_by text,
  hang_up_asked_at timestamptz,
  stranded_at timestamptz,
  stranded_by text,
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

-- What is dialled or may still change: whatever writes a call names this table alone, so that no month costs it anything. Only its rows refer to
-- others, as foreign keys of months would lock these while a month comes or goes.
-- Each call leaves several versions of its row. By the default of 20 % a table of 3,000,000 would keep 600,000 dead rows before a vacuum.
create table calls partition of all_calls (
  primary key (call_id),
  foreign key (client_id) references clients,
  foreign key (agent_id) references agents,
  foreign key (campaign_id) references campaigns,
  foreign key (contact_id) references contacts,
  -- One row for each dial of a contact: what makes a second dial of the same attempt impossible. A row stays while its campaign can dial.
  unique (contact_id, attempt)
) for values in (null)
  with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);

-- The filters of the call history. All ascend and are read backwards: what is added is the newest, and an index that grows at its end is
-- kept twice as dense. None is on call_status itself: that would cost every ring and answer new entries in all indexes of the table, where
-- now the row alone is rewritten.
create index calls_history on all_calls (client_id, accepted_at, call_id);
create index calls_of_final_status on all_calls (client_id, final_status, accepted_at, call_id) where final_status is not null;
create index calls_of_agent on all_calls (client_id, agent_id, accepted_at, call_id) include (final_status);
create index calls_of_campaign on all_calls (campaign_id, accepted_at, call_id) include (client_id, final_status)
  where campaign_id is not null;
-- What the engine looks for.
-- None of stage alone that covers waiting calls: with statistics of a time without calls, Postgres takes them all to be one row, and reads those
-- of every client at each grant.
create index calls_waiting on calls (client_id, campaign_id, waiting_since, contact_id) where stage in ('claimed', 'waiting');
create index calls_open on calls (campaign_id, stage) where stage <> 'over';
create index calls_live on calls (stage) where stage in ('granted', 'asking', 'placed');
create index calls_unconcluded on calls (campaign_id) where stage = 'over' and concluded_at is null;
create index calls_to_hang_up on calls (hang_up_asked_at) where hang_up_asked_at is not null and stage in ('asking', 'placed');
create index calls_stranded on calls (line_kept_until) where line_kept_until is not null and stage = 'placed';
create index calls_to_start on calls (to_start_since) where to_start_since is not null;
create index calls_callback_of on calls (callback_of) where callback_of is not null;
-- The carrier announces a caller until it has our answer: each time it means the same call.
create unique index calls_of_callers on calls (carrier_id) where direction = 'Incoming' and medium = 'telephony';
-- What a page of retention is found by; written once in a call's life.
create index calls_ended on all_calls (client_id, ended_at, call_id) where stage = 'over';
-- What a person is found by, and erased: whom we called, and who rang, however their network wrote the number.
create index calls_by_callee on all_calls (to_number) where direction = 'Outbound';
create index calls_by_caller on all_calls (regexp_replace(split_part(from_number, '@', 1), '\D', '', 'g')) where direction = 'Incoming' and medium = 'telephony';

comment on table all_calls is 'One row for each call attempt, inbound call and browser session. The id is also the workflow''s.';
comment on table calls is 'Those of no month yet. The others are settled: a partition for each month of their ids, in UTC (settle_calls).';
comment on column all_calls.month is 'The first day of the month in which a settled call is kept; null until then.';
comment on column all_calls.attempt is 'The n-th dial of the contact; null of a callback, which is not counted, and of a call without a contact.';
comment on column all_calls.voice is 'Of a dispatch: the voice that it asked for.';
comment on column all_calls.session is
  'How the agent is to sound and to greet in a browser session, as its dispatch asked for it. Null of a phone call.';
comment on column all_calls.dnd_check_skipped is 'Of a dispatch: its number may be called although it is on a do-not-disturb list.';
comment on column all_calls.stage is
  'claimed -> waiting -> granted (holds a line) -> asking (the carrier may have the request) -> placed -> over.';
comment on column all_calls.final_status is 'What call_status ends as; null until then.';
comment on column all_calls.not_before is 'Of a callback that no campaign makes: its workflow sleeps until then.';
comment on column all_calls.dial_until is 'Of a callback that no campaign makes: it must not be dialled from then on.';
comment on column all_calls.dial_slot_at is 'Its turn on the trunk.';
comment on column all_calls.asked_at is 'The carrier was asked, or the session opened.';
comment on column all_calls.asked_until is 'While the stage is asking: a phone may ring for the request before it is seen, until then.';
comment on column all_calls.not_after is 'The carrier must not take up the request from then on.';
comment on column all_calls.reported_at is 'When the carrier last reported on it.';
comment on column all_calls.hang_up_asked_at is 'A person wants its end.';
comment on column all_calls.stranded_at is 'When its phone was lost: nobody can hang it up.';
comment on column all_calls.stranded_by is 'What died: bridge, or livekit, also where nobody knows.';
comment on column all_calls.line_kept_until is 'Of such a call: it ends, and its line is released, then at the latest.';
comment on column all_calls.to_start_since is 'Of an inbound call, while its workflow is not known to run: since when it should.';
comment on column all_calls.will_retry is 'What follows from the end: the contact gets another dial, at next_attempt_at.';
comment on column all_calls.do_not_call is 'The person said that they do not want to be called again.';
comment on column all_calls.action_requests is 'How often its agent was given secret headers for a request of an action.';
comment on column all_calls.transfers is 'How often its agent asked to transfer it, refused or not (start_transfer).';
comment on column all_calls.callback_at is 'When the callback that this call asked for is due.';
comment on column all_calls.callback_of is 'The call in which this callback was asked for.';
comment on column all_calls.callback_depth is 'How many callbacks led to this call.';
comment on column all_calls.emitted_segments is
  'The highest seq of its segments. Counted under the row''s lock, so that a later one is never committed before an earlier one.';
comment on column all_calls.concluded_at is 'Processed, and its webhook written down: nothing of the call is left to do but deliver.';
comment on column all_calls.agent_ticket is 'When the ticket of the agent''s job ends, in milliseconds since the epoch; 0 for a caller''s.';
comment on column all_calls.agent_claim is 'SHA-256 of what the process of that job proves itself with.';
comment on column all_calls.erased_at is 'Of a call whose person was erased: nothing that comes late is kept of it.';

-- A few rows that come and go with each call: a share of so few says nothing, so a number of dead rows starts the vacuum.
create table lines (
  call_id text primary key,
  client_id uuid not null,
  campaign_id uuid,
  number text,
  is_caller boolean not null default false,
  taken_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index lines_of_client on lines (client_id);
create index lines_of_campaign on lines (campaign_id);
create unique index lines_of_number on lines (client_id, number) where number is not null;
comment on table lines is 'The rights to have a live call, each owned by its call; counted against campaign and client.';
comment on column lines.number is
  'The number of the callee or caller, so that an organization has one live call with it. Null for a browser session and a withheld number.';
comment on column lines.is_caller is 'The line of an inbound call, of which an organization has a share (clients.caller_lines).';

-- Only inserted until retention: it is the inserts that start the vacuum which marks pages as visible to all.
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
comment on table call_segments is 'Those of no month yet; the others are in the month of their call, with which they are dropped.';
comment on column all_call_segments.seq is 'The place in the order in which the call''s segments became known.';
comment on column all_call_segments.interrupted is 'The remote party cut it short.';
comment on column all_call_segments.confidence is '0 to 1, of the recogniser.';

-- Only inserted until retention; the vacuum also moves the pending list of the GIN index, which each search reads whole, into the index.
create table call_words (
  call_id text primary key,
  client_id uuid not null,
  agent_id uuid not null,
  campaign_id uuid,
  final_status text,
  accepted_at timestamptz not null,
  words tsvector not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- A word of a transcript can never equal an owner, because each column of this index has keys of its own.
create index call_words_said on call_words using gin (words, (array[client_id::text, agent_id::text, campaign_id::text, final_status]));
create index call_words_by_time on call_words (client_id, accepted_at, call_id);
comment on table call_words is
  'What calls are found by that were concluded: the words of their transcripts (write_words). Beside the calls, whose rows are read in lists.';
comment on column call_words.words is
  'The words that people and agent said, without their order. They hold nothing else, so that no text can pass for an owner.';

create table caption_listeners (
  call_id text primary key references calls on delete cascade,
  until timestamptz not null
);
comment on table caption_listeners is
  'Calls with listeners to live captions, by the database''s clock: only of them anything is notified. Renewed while there are listeners.';

create table call_reports (
  call_id text primary key,
  usage jsonb,
  usage_at timestamptz,
  callback_asked_at timestamptz,
  callback_at timestamptz
);
comment on table call_reports is
  'What the agent reported of a call. Beside the calls, whose rows are written often and read in lists. Nothing in it is personal.';
comment on column call_reports.usage is
  '{models: [{kind, provider, model, purpose, …, cost}], responseMs: [], interruptions}: the last report stands.';
comment on column call_reports.callback_asked_at is 'The agent asks for a callback.';
comment on column call_reports.callback_at is 'Null where no time was named.';

create table call_analyses (
  call_id text primary key,
  requested_at timestamptz not null,
  look_at timestamptz not null,
  answer jsonb,
  model text,
  usage jsonb,
  failure text,
  method text check (method in ('model', 'rules'))
);
comment on table call_analyses is 'What a language model was asked about a call.';
comment on column call_analyses.look_at is 'When reconciliation is to look whether somebody still sees to it.';
comment on column call_analyses.answer is 'The model''s, checked; until the call is concluded, whose row has what was found.';
comment on column call_analyses.usage is 'As of call_reports: what the questions to the model cost.';
comment on column call_analyses.failure is 'Why the last attempt failed, as a fixed word.';
comment on column call_analyses.method is 'Once the call is concluded.';

create table recordings (
  call_id text primary key,
  storage_key text not null,
  content_type text not null,
  bytes bigint not null,
  stored_at timestamptz not null
);
comment on table recordings is
  'Beside the calls, whose rows are written often and read in lists: most calls that are made have no recording.';
comment on column recordings.storage_key is 'Under which the storage keeps it.';
