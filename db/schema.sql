-- Contents of the database after `npm run migrate`. `npm run schema` generates this file for readers; it is never run. A test compares it.
-- Tables come from db/migrations/, functions and triggers from db/functions/.

-- Each configuration of an agent once, however many of its versions have it.
CREATE TABLE agent_configs (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  agent_id uuid NOT NULL,
  -- SHA-256 of the text that Postgres makes of the configuration, which is the same for equal ones.
  hash bytea NOT NULL,
  config jsonb NOT NULL,
  -- Its part of the quota agent_bytes (count_agent_bytes).
  bytes integer GENERATED ALWAYS AS (octet_length(config::text)) STORED NOT NULL,
  CONSTRAINT agent_configs_pkey PRIMARY KEY (id),
  CONSTRAINT agent_configs_agent_id_hash_key UNIQUE (agent_id, hash),
  CONSTRAINT agent_configs_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);
CREATE TRIGGER count_deleted AFTER DELETE ON agent_configs REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_agent_bytes();
CREATE TRIGGER count_inserted AFTER INSERT ON agent_configs REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_agent_bytes();
CREATE TRIGGER count_updated AFTER UPDATE ON agent_configs REFERENCING OLD TABLE AS deleted NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_agent_bytes();

-- Conversations that are kept to try an agent by, replaced as a whole. Not of a version: they say what any is expected to do. Gone with the archiving.
CREATE TABLE agent_conversations (
  agent_id uuid NOT NULL,
  conversations jsonb NOT NULL,
  bytes integer GENERATED ALWAYS AS (octet_length(conversations::text)) STORED NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT agent_conversations_pkey PRIMARY KEY (agent_id),
  CONSTRAINT agent_conversations_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);
CREATE TRIGGER count_deleted AFTER DELETE ON agent_conversations REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_agent_bytes();
CREATE TRIGGER count_inserted AFTER INSERT ON agent_conversations REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_agent_bytes();
CREATE TRIGGER count_updated AFTER UPDATE ON agent_conversations REFERENCING OLD TABLE AS deleted NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_agent_bytes();

-- A version never changes: a call is judged by the configuration that it ran with. Old ones that no call used are removed (store_version).
CREATE TABLE agent_versions (
  agent_id uuid NOT NULL,
  version integer NOT NULL,
  config_id bigint NOT NULL,
  -- A call was made with it (use_version). Stays true, also where that call was withdrawn.
  used boolean DEFAULT false NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT agent_versions_pkey PRIMARY KEY (agent_id, version),
  CONSTRAINT agent_versions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT agent_versions_config_id_fkey FOREIGN KEY (config_id) REFERENCES agent_configs(id)
);
CREATE INDEX agent_versions_of_config ON agent_versions USING btree (config_id);
CREATE INDEX agent_versions_unused ON agent_versions USING btree (agent_id, version) WHERE NOT used;

CREATE TABLE agents (
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  -- The slug.
  agent_name text NOT NULL,
  display_name text NOT NULL,
  status text NOT NULL,
  published boolean DEFAULT true NOT NULL,
  published_at timestamptz,
  archived boolean DEFAULT false NOT NULL,
  -- The current one, which new calls run with. 0 only inside the transaction that creates the agent.
  version integer DEFAULT 0 NOT NULL,
  -- Of the current version, the one part of a configuration that lists show; to take it out of the whole would mean to read and unpack that.
  deployment jsonb,
  gsheet_config jsonb,
  created_at timestamptz DEFAULT now() NOT NULL,
  last_edited_at timestamptz NOT NULL,
  CONSTRAINT agents_pkey PRIMARY KEY (id),
  CONSTRAINT agents_client_id_agent_name_key UNIQUE (client_id, agent_name),
  CONSTRAINT agents_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id)
);
CREATE INDEX agents_inbound ON agents USING btree ((deployment #>> '{phone,call_type,Inbound}'::text[])) WHERE NOT archived;
CREATE INDEX agents_of_client ON agents USING btree (client_id, created_at, id) INCLUDE (published) WHERE NOT archived;
CREATE TRIGGER count_deleted AFTER DELETE ON agents REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_agents();
CREATE TRIGGER count_inserted AFTER INSERT ON agents REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_agents();
CREATE TRIGGER count_moved AFTER UPDATE OF archived, published ON agents FOR EACH ROW WHEN (old.archived IS DISTINCT FROM new.archived OR old.published IS DISTINCT FROM new.published) EXECUTE FUNCTION count_agents();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON agents FOR EACH STATEMENT EXECUTE FUNCTION count_agents();

CREATE TABLE all_call_segments (
  call_id text NOT NULL,
  start_ms integer NOT NULL,
  speaker text NOT NULL,
  end_ms integer NOT NULL,
  text text NOT NULL,
  -- The place in the order in which the call's segments became known.
  seq integer NOT NULL,
  -- The remote party cut it short.
  interrupted boolean DEFAULT false NOT NULL,
  -- 0 to 1, of the recogniser.
  confidence real,
  language text,
  month date
) PARTITION BY LIST (month);

-- One row for each call attempt, inbound call and browser session. The id is also the workflow's.
CREATE TABLE all_calls (
  call_id text NOT NULL,
  client_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_version integer NOT NULL,
  campaign_id uuid,
  contact_id bigint,
  -- The n-th dial of the contact; null of a callback, which is not counted, and of a call without a contact.
  attempt integer,
  medium text DEFAULT 'telephony'::text NOT NULL,
  call_type text NOT NULL,
  direction text NOT NULL,
  name text,
  from_number text,
  to_number text,
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  modify_agent jsonb,
  x_agent_id text,
  -- Of a dispatch: the voice that it asked for.
  voice text,
  -- How the agent is to sound and to greet in a browser session, as its dispatch asked for it. Null of a phone call.
  session jsonb,
  -- Of a dispatch: its number may be called although it is on a do-not-disturb list.
  dnd_check_skipped boolean DEFAULT false NOT NULL,
  -- claimed -> waiting -> granted (holds a line) -> asking (the carrier may have the request) -> placed -> over.
  stage text DEFAULT 'claimed'::text NOT NULL,
  call_status text DEFAULT 'queued'::text NOT NULL,
  -- What call_status ends as; null until then.
  final_status text GENERATED ALWAYS AS (
CASE
    WHEN call_status = ANY (ARRAY['queued'::text, 'dialing'::text, 'ringing'::text, 'in progress'::text]) THEN NULL::text
    ELSE call_status
END) STORED,
  end_reason text,
  accepted_at timestamptz NOT NULL,
  -- Of a callback that no campaign makes: its workflow sleeps until then.
  not_before timestamptz,
  -- Of a callback that no campaign makes: it must not be dialled from then on.
  dial_until timestamptz,
  waiting_since timestamptz,
  granted_at timestamptz,
  -- Its turn on the trunk.
  dial_slot_at timestamptz,
  -- The carrier was asked, or the session opened.
  asked_at timestamptz,
  -- While the stage is asking: a phone may ring for the request before it is seen, until then.
  asked_until timestamptz,
  -- The carrier must not take up the request from then on.
  not_after timestamptz,
  carrier_id text,
  -- When the carrier last reported on it.
  reported_at timestamptz,
  dialing_at timestamptz,
  ringing_at timestamptz,
  answered_at timestamptz,
  answered_by text,
  -- A person wants its end.
  hang_up_asked_at timestamptz,
  -- When its phone was lost: nobody can hang it up.
  stranded_at timestamptz,
  -- What died: bridge, or livekit, also where nobody knows.
  stranded_by text,
  -- Of such a call: it ends, and its line is released, then at the latest.
  line_kept_until timestamptz,
  -- Of an inbound call, while its workflow is not known to run: since when it should.
  to_start_since timestamptz,
  ended_at timestamptz,
  duration_ms bigint DEFAULT 0 NOT NULL,
  call_cost numeric(14,4) DEFAULT 0 NOT NULL,
  -- What follows from the end: the contact gets another dial, at next_attempt_at.
  will_retry boolean DEFAULT false NOT NULL,
  next_attempt_at timestamptz,
  -- How often its agent asked to transfer it, refused or not (start_transfer).
  transfers integer DEFAULT 0 NOT NULL,
  -- How often its agent was given secret headers for a request of an action.
  action_requests integer DEFAULT 0 NOT NULL,
  -- The person said that they do not want to be called again.
  do_not_call boolean DEFAULT false NOT NULL,
  callback_requested boolean DEFAULT false NOT NULL,
  callback_id text,
  callback_status text,
  -- When the callback that this call asked for is due.
  callback_at timestamptz,
  -- The call in which this callback was asked for.
  callback_of text,
  -- How many callbacks led to this call.
  callback_depth integer DEFAULT 0 NOT NULL,
  -- The highest seq of its segments. Counted under the row's lock, so that a later one is never committed before an earlier one.
  emitted_segments integer DEFAULT 0 NOT NULL,
  post_processing_status text DEFAULT 'not_processed'::text NOT NULL,
  summary text,
  entity jsonb,
  eval_tag text,
  conversation_eval jsonb,
  conversation_quality jsonb,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  outcome text,
  -- Processed, and its webhook written down: nothing of the call is left to do but deliver.
  concluded_at timestamptz,
  -- Of a call whose person was erased: nothing that comes late is kept of it.
  erased_at timestamptz,
  -- When the ticket of the agent's job ends, in milliseconds since the epoch; 0 for a caller's.
  agent_ticket bigint,
  -- SHA-256 of what the process of that job proves itself with.
  agent_claim bytea,
  -- The first day of the month in which a settled call is kept; null until then.
  month date
) PARTITION BY LIST (month);
CREATE INDEX calls_by_callee ON ONLY all_calls USING btree (to_number) WHERE direction = 'Outbound'::text;
CREATE INDEX calls_by_caller ON ONLY all_calls USING btree (regexp_replace(split_part(from_number, '@'::text, 1), '\D'::text, ''::text, 'g'::text)) WHERE direction = 'Incoming'::text AND medium = 'telephony'::text;
CREATE INDEX calls_ended ON ONLY all_calls USING btree (client_id, ended_at, call_id) WHERE stage = 'over'::text;
CREATE INDEX calls_history ON ONLY all_calls USING btree (client_id, accepted_at, call_id);
CREATE INDEX calls_of_agent ON ONLY all_calls USING btree (client_id, agent_id, accepted_at, call_id) INCLUDE (final_status);
CREATE INDEX calls_of_campaign ON ONLY all_calls USING btree (campaign_id, accepted_at, call_id) INCLUDE (client_id, final_status) WHERE campaign_id IS NOT NULL;
CREATE INDEX calls_of_final_status ON ONLY all_calls USING btree (client_id, final_status, accepted_at, call_id) WHERE final_status IS NOT NULL;
CREATE TRIGGER index_changes AFTER UPDATE OF agent_id, campaign_id, call_status ON all_calls FOR EACH ROW WHEN (old.concluded_at IS NOT NULL AND (old.agent_id IS DISTINCT FROM new.agent_id OR old.campaign_id IS DISTINCT FROM new.campaign_id OR old.call_status IS DISTINCT FROM new.call_status)) EXECUTE FUNCTION index_words();

CREATE TABLE api_keys (
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  prefix text NOT NULL,
  key_hash bytea NOT NULL,
  -- What an operator calls the key.
  label text,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- To the minute.
  last_used_at timestamptz,
  -- The key that made it, also through a session, and with which it is revoked; null of a key that an operator made.
  made_by uuid,
  -- What the key may do; null for all.
  scopes text[],
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_keys_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id),
  CONSTRAINT api_keys_made_by_fkey FOREIGN KEY (made_by) REFERENCES api_keys(id) ON DELETE SET NULL,
  CONSTRAINT api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read'::text, 'operate'::text, 'configure'::text])
);
CREATE INDEX api_keys_made_by ON api_keys USING btree (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX api_keys_of_client ON api_keys USING btree (client_id, created_at DESC, id);

-- The files of db/functions that npm run migrate has applied.
CREATE TABLE applied_functions (
  name text NOT NULL,
  checksum text NOT NULL,
  CONSTRAINT applied_functions_pkey PRIMARY KEY (name)
);

-- Who changed what. Kept when its subject is gone, so it refers to nothing. A partition for each month (keep_months).
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  at timestamptz NOT NULL,
  client_id uuid,
  actor_kind text NOT NULL,
  -- The id of the API key or of the agent, or the name of the operator who ran the command. A visitor failed to sign in.
  actor_id text NOT NULL,
  -- The client address of the request; null at the command line and of an agent.
  address text,
  request_id text,
  -- noun.verb, such as campaign.update.
  action text NOT NULL,
  subject_id text NOT NULL,
  -- Names of the fields that were changed, never their values: these may be personal. Of a transfer: its masked destination, and why it was refused.
  fields text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (at, id),
  CONSTRAINT audit_log_actor_kind_check CHECK (actor_kind = ANY (ARRAY['api_key'::text, 'operator'::text, 'agent'::text, 'visitor'::text]))
) PARTITION BY RANGE (at);
CREATE INDEX audit_log_of_action ON ONLY audit_log USING btree (client_id, action, at DESC, id DESC);
CREATE INDEX audit_log_of_actor ON ONLY audit_log USING btree (client_id, actor_id, at DESC, id DESC);
CREATE INDEX audit_log_of_client ON ONLY audit_log USING btree (client_id, at DESC, id DESC);
CREATE INDEX audit_log_of_others ON ONLY audit_log USING btree (client_id, actor_kind, at DESC, id DESC) WHERE actor_kind <> 'api_key'::text;
CREATE INDEX audit_log_of_subject ON ONLY audit_log USING btree (subject_id, at DESC, id DESC);

-- What a language model was asked about a call.
CREATE TABLE call_analyses (
  call_id text NOT NULL,
  requested_at timestamptz NOT NULL,
  -- When reconciliation is to look whether somebody still sees to it.
  look_at timestamptz NOT NULL,
  -- The model's, checked; until the call is concluded, whose row has what was found.
  answer jsonb,
  model text,
  -- As of call_reports: what the questions to the model cost.
  usage jsonb,
  -- Why the last attempt failed, as a fixed word.
  failure text,
  -- Once the call is concluded.
  method text,
  CONSTRAINT call_analyses_pkey PRIMARY KEY (call_id),
  CONSTRAINT call_analyses_method_check CHECK (method = ANY (ARRAY['model'::text, 'rules'::text]))
);

-- What the agent reported of a call. Beside the calls, whose rows are written often and read in lists. Nothing in it is personal.
CREATE TABLE call_reports (
  call_id text NOT NULL,
  -- {models: [{kind, provider, model, purpose, …, cost}], responseMs: [], interruptions}: the last report stands.
  usage jsonb,
  usage_at timestamptz,
  -- The agent asks for a callback.
  callback_asked_at timestamptz,
  -- Null where no time was named.
  callback_at timestamptz,
  CONSTRAINT call_reports_pkey PRIMARY KEY (call_id)
);

-- Those of no month yet; the others are in the month of their call, with which they are dropped.
CREATE TABLE call_segments PARTITION OF all_call_segments (
  CONSTRAINT call_segments_pkey PRIMARY KEY (call_id, start_ms, speaker)
) FOR VALUES IN (NULL) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE TRIGGER call_segments_notified AFTER INSERT ON call_segments REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION notify_segments();
CREATE TRIGGER call_segments_seq BEFORE INSERT ON call_segments FOR EACH ROW WHEN (new.seq IS NULL) EXECUTE FUNCTION next_segment_seq();
CREATE TRIGGER index_words AFTER INSERT ON call_segments REFERENCING NEW TABLE AS said FOR EACH STATEMENT EXECUTE FUNCTION index_words();

-- What calls are found by that were concluded: the words of their transcripts (write_words). Beside the calls, whose rows are read in lists.
CREATE TABLE call_words (
  call_id text NOT NULL,
  client_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  campaign_id uuid,
  final_status text,
  accepted_at timestamptz NOT NULL,
  -- The words that people and agent said, without their order. They hold nothing else, so that no text can pass for an owner.
  words tsvector NOT NULL,
  CONSTRAINT call_words_pkey PRIMARY KEY (call_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX call_words_by_time ON call_words USING btree (client_id, accepted_at, call_id);
CREATE INDEX call_words_said ON call_words USING gin (words, (ARRAY[client_id::text, agent_id::text, campaign_id::text, final_status]));

-- Bounds the callbacks of one number (schedule_callback). It holds no number, so a row stays when its person is erased. Retention deletes it seven days after the last callback.
CREATE TABLE callback_caps (
  client_id uuid NOT NULL,
  -- HMAC-SHA-256 of the organization and the number, with a key of SECRETS_KEY.
  number_hash bytea NOT NULL,
  -- The UTC day of the last callback that was scheduled.
  day date NOT NULL,
  -- Callbacks that were scheduled on that day.
  scheduled integer NOT NULL,
  -- The call that asked for the last one.
  last_call_id text NOT NULL,
  CONSTRAINT callback_caps_pkey PRIMARY KEY (client_id, number_hash),
  CONSTRAINT callback_caps_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE
);
CREATE INDEX callback_caps_by_day ON callback_caps USING btree (day);

-- Those of no month yet. The others are settled: a partition for each month of their ids, in UTC (settle_calls).
CREATE TABLE calls PARTITION OF all_calls (
  CONSTRAINT calls_pkey PRIMARY KEY (call_id),
  CONSTRAINT calls_contact_id_attempt_key UNIQUE (contact_id, attempt),
  CONSTRAINT calls_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT calls_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id),
  CONSTRAINT calls_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id),
  CONSTRAINT calls_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES contacts(id)
) FOR VALUES IN (NULL) WITH (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.01);
CREATE INDEX calls_callback_of ON calls USING btree (callback_of) WHERE callback_of IS NOT NULL;
CREATE INDEX calls_live ON calls USING btree (stage) WHERE stage = ANY (ARRAY['granted'::text, 'asking'::text, 'placed'::text]);
CREATE UNIQUE INDEX calls_of_callers ON calls USING btree (carrier_id) WHERE direction = 'Incoming'::text AND medium = 'telephony'::text;
CREATE INDEX calls_open ON calls USING btree (campaign_id, stage) WHERE stage <> 'over'::text;
CREATE INDEX calls_stranded ON calls USING btree (line_kept_until) WHERE line_kept_until IS NOT NULL AND stage = 'placed'::text;
CREATE INDEX calls_to_hang_up ON calls USING btree (hang_up_asked_at) WHERE hang_up_asked_at IS NOT NULL AND (stage = ANY (ARRAY['asking'::text, 'placed'::text]));
CREATE INDEX calls_to_start ON calls USING btree (to_start_since) WHERE to_start_since IS NOT NULL;
CREATE INDEX calls_unconcluded ON calls USING btree (campaign_id) WHERE stage = 'over'::text AND concluded_at IS NULL;
CREATE INDEX calls_waiting ON calls USING btree (client_id, campaign_id, waiting_since, contact_id) WHERE stage = ANY (ARRAY['claimed'::text, 'waiting'::text]);
CREATE TRIGGER calls_notified AFTER UPDATE OF answered_at, stage ON calls FOR EACH ROW WHEN (new.answered_at IS NOT NULL AND old.answered_at IS NULL OR new.stage = 'over'::text AND old.stage <> 'over'::text) EXECUTE FUNCTION notify_call();
CREATE TRIGGER count_deleted AFTER DELETE ON calls REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_inserted AFTER INSERT ON calls REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON calls FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER index_words AFTER UPDATE OF concluded_at ON calls FOR EACH ROW WHEN (old.concluded_at IS NULL AND new.concluded_at IS NOT NULL) EXECUTE FUNCTION index_words();
CREATE TRIGGER use_version BEFORE INSERT ON calls FOR EACH ROW EXECUTE FUNCTION use_version();

CREATE TABLE campaigns (
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  campaign_name text NOT NULL,
  status text NOT NULL,
  status_reason text,
  -- A pause of all campaigns paused it, and nobody has paused, resumed or changed it since: a resume of all takes these only.
  paused_with_all boolean DEFAULT false NOT NULL,
  -- The last of the four announced statuses that a webhook named: old_status of the next.
  announced_status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  contact_source_type text NOT NULL,
  -- Null since a person of the file was erased: from then on the file is made from the contacts.
  contact_file_key text,
  contact_file_bytes bigint DEFAULT 0 NOT NULL,
  -- The columns of the file in its order, which the contacts' variables do not keep as JSON.
  contact_columns text[] DEFAULT '{}'::text[] NOT NULL,
  -- Its contacts and its file are past their time.
  contacts_erased_at timestamptz,
  days_of_week text NOT NULL,
  -- Of the daily window: minutes after midnight UTC.
  start_minute integer NOT NULL,
  end_minute integer NOT NULL,
  from_date text NOT NULL,
  to_date text NOT NULL,
  -- Dials of a contact: 1 means no redial.
  max_retries integer NOT NULL,
  retry_after_mins integer NOT NULL,
  call_concurrency integer NOT NULL,
  perform_dnd_check boolean DEFAULT false NOT NULL,
  notification_emails text[] DEFAULT '{}'::text[] NOT NULL,
  webhook_url text,
  per_call_webhook_url text,
  -- Set by the campaign's workflow while its window is open: the instant at which dialling must stop.
  dialing_until timestamptz,
  -- The fair turn among a client's campaigns.
  last_granted_at timestamptz,
  -- The workflow is to look at the campaign and has not yet: one signal a page of calls, not one a call; repeated if it is lost.
  refill_asked_at timestamptz,
  -- When reconciliation is to look whether its workflow runs, unless that surveys it before.
  look_at timestamptz NOT NULL,
  -- The latest dials, as in clients.recent_dials.
  recent_dials text DEFAULT ''::text NOT NULL,
  total_contacts integer NOT NULL,
  in_progress_contacts integer DEFAULT 0 NOT NULL,
  completed_contacts integer DEFAULT 0 NOT NULL,
  failed_contacts integer DEFAULT 0 NOT NULL,
  -- Its part of the quota contacts (count_contacts).
  kept_contacts integer GENERATED ALWAYS AS (
CASE
    WHEN contacts_erased_at IS NULL THEN total_contacts
    ELSE 0
END) STORED NOT NULL,
  -- Its part of the quota contact_file_bytes (count_contacts).
  kept_file_bytes bigint GENERATED ALWAYS AS (
CASE
    WHEN contact_file_key IS NULL THEN 0::bigint
    ELSE contact_file_bytes
END) STORED NOT NULL,
  CONSTRAINT campaigns_pkey PRIMARY KEY (id),
  CONSTRAINT campaigns_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT campaigns_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id),
  CONSTRAINT campaigns_call_concurrency_check CHECK (call_concurrency >= 1)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
CREATE INDEX campaigns_active ON campaigns USING btree (client_id) WHERE status = 'active'::text;
CREATE INDEX campaigns_keeping ON campaigns USING btree (client_id, ended_at) WHERE ended_at IS NOT NULL AND contacts_erased_at IS NULL;
CREATE INDEX campaigns_of_client ON campaigns USING btree (client_id, created_at DESC, id DESC);
CREATE INDEX campaigns_of_status ON campaigns USING btree (client_id, status, created_at, id);
CREATE INDEX campaigns_open ON campaigns USING btree (id) WHERE ended_at IS NULL;
CREATE TRIGGER count_contacts_changed AFTER UPDATE OF contacts_erased_at, contact_file_key ON campaigns FOR EACH ROW WHEN (old.contacts_erased_at IS DISTINCT FROM new.contacts_erased_at OR old.contact_file_key IS DISTINCT FROM new.contact_file_key) EXECUTE FUNCTION count_contacts();
CREATE TRIGGER count_contacts_deleted AFTER DELETE ON campaigns REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE TRIGGER count_contacts_inserted AFTER INSERT ON campaigns REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE TRIGGER count_contacts_truncated AFTER TRUNCATE ON campaigns FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE TRIGGER count_deleted AFTER DELETE ON campaigns REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
CREATE TRIGGER count_inserted AFTER INSERT ON campaigns REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
CREATE TRIGGER count_moved AFTER UPDATE OF status ON campaigns FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION count_campaigns();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON campaigns FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();

-- Calls with listeners to live captions, by the database's clock: only of them anything is notified. Renewed while there are listeners.
CREATE TABLE caption_listeners (
  call_id text NOT NULL,
  until timestamptz NOT NULL,
  CONSTRAINT caption_listeners_pkey PRIMARY KEY (call_id),
  CONSTRAINT caption_listeners_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(call_id) ON DELETE CASCADE
);

-- Looks of the reconciliation that a process asked for after an outage and that none has made yet: whoever holds its turn makes them.
CREATE TABLE catch_ups (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  asked_at timestamptz NOT NULL,
  CONSTRAINT catch_ups_pkey PRIMARY KEY (id)
);

-- Organisations. Its row is the lock under which lines are granted.
CREATE TABLE clients (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  -- Lines: live calls at once, over all campaigns and dispatches.
  max_concurrency integer DEFAULT 10 NOT NULL,
  -- Lines that callers may take; null for all but one line in five, 0 lets no caller in (caller_lines_of).
  caller_lines integer,
  -- Requests that dispatch a call; null where the configured limit holds, 0 for none.
  dispatch_per_minute integer,
  -- All other requests; null where the configured limit holds, 0 for none.
  other_per_minute integer,
  -- Brake: credits a UTC day; null where the configured one holds, 0 for none.
  spend_per_day numeric(14,4),
  -- Brake of each campaign: credits a UTC day; null where the configured one holds, 0 for none.
  campaign_spend_per_day numeric(14,4),
  -- Brake: the share of dials that the carrier failed; null where the configured one holds, 0 for none.
  breaker_failure_rate numeric(4,3),
  -- Calls that go on although spend_per_day is reached (is_past_spend).
  spend_exempt text[] DEFAULT '{}'::text[] NOT NULL,
  -- The latest dials, the last at the end: 1 where the carrier failed, 0 where it did not.
  recent_dials text DEFAULT ''::text NOT NULL,
  -- Days after a call's end; null keeps for ever.
  recordings_days integer,
  -- Days after a call's end; null keeps for ever.
  transcripts_days integer,
  -- Days after a campaign's end; null keeps for ever.
  contacts_days integer,
  -- Its own quotas by name, 0 for none; the configured ones hold for those that it lacks.
  quotas jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT clients_pkey PRIMARY KEY (id),
  CONSTRAINT clients_breaker_failure_rate_check CHECK (breaker_failure_rate >= 0::numeric AND breaker_failure_rate <= 1::numeric),
  CONSTRAINT clients_caller_lines_check CHECK (caller_lines >= 0),
  CONSTRAINT clients_campaign_spend_per_day_check CHECK (campaign_spend_per_day >= 0::numeric),
  CONSTRAINT clients_contacts_days_check CHECK (contacts_days >= 1),
  CONSTRAINT clients_dispatch_per_minute_check CHECK (dispatch_per_minute >= 0),
  CONSTRAINT clients_max_concurrency_check CHECK (max_concurrency >= 1),
  CONSTRAINT clients_other_per_minute_check CHECK (other_per_minute >= 0),
  CONSTRAINT clients_recordings_days_check CHECK (recordings_days >= 1),
  CONSTRAINT clients_spend_exempt_check CHECK (spend_exempt <@ ARRAY['callers'::text, 'dispatches'::text]),
  CONSTRAINT clients_spend_per_day_check CHECK (spend_per_day >= 0::numeric),
  CONSTRAINT clients_transcripts_days_check CHECK (transcripts_days >= 1)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

-- The ledger of the e-mails about a campaign: a row for each recipient of its report, written with its end, and for each address that it asks to confirm.
CREATE TABLE completion_mails (
  campaign_id uuid NOT NULL,
  -- The place among the campaign's recipients, from 1, of confirmations from 101: what workflows and logs name instead of the address.
  recipient smallint NOT NULL,
  -- Empty once it was erased, or asked in vain for 30 days.
  address text NOT NULL,
  kind text DEFAULT 'report'::text NOT NULL,
  -- pending -> sent | failed (refused, or given up) | skipped (no mail server, no call, or over the day's limit); or unconfirmed from the start.
  status text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  -- Without addresses.
  last_error text,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  -- When reconciliation is to look whether somebody still sends it.
  look_at timestamptz NOT NULL,
  CONSTRAINT completion_mails_pkey PRIMARY KEY (campaign_id, recipient),
  CONSTRAINT completion_mails_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE,
  CONSTRAINT completion_mails_kind_check CHECK (kind = ANY (ARRAY['report'::text, 'confirmation'::text])),
  CONSTRAINT completion_mails_status_check CHECK (status = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'skipped'::text, 'unconfirmed'::text]))
);
CREATE INDEX completion_mails_pending ON completion_mails USING btree (look_at) WHERE status = 'pending'::text;

-- What opens the console in place of an API key, as long as that key is valid: sessions of browsers, and links that make one once.
CREATE TABLE console_tokens (
  -- Names a session in lists. It does not open it.
  id uuid NOT NULL,
  token_hash bytea NOT NULL,
  kind text NOT NULL,
  key_id uuid NOT NULL,
  -- The client address of the sign-in; null of a link.
  address text,
  -- The operator who made the link lets it show Temporal's Web UI.
  shows_workflows boolean DEFAULT false NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT console_tokens_pkey PRIMARY KEY (token_hash),
  CONSTRAINT console_tokens_id_key UNIQUE (id),
  CONSTRAINT console_tokens_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  CONSTRAINT console_tokens_kind_check CHECK (kind = ANY (ARRAY['session'::text, 'sign_in'::text]))
);
CREATE INDEX console_tokens_by_age ON console_tokens USING btree (expires_at);
CREATE INDEX console_tokens_of_key ON console_tokens USING btree (key_id, kind, created_at, id);

CREATE TABLE contacts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  campaign_id uuid NOT NULL,
  -- The owner of the campaign, written by index_contact.
  client_id uuid NOT NULL,
  row_number integer NOT NULL,
  name text NOT NULL,
  phone_number text NOT NULL,
  variables jsonb NOT NULL,
  state text DEFAULT 'pending'::text NOT NULL,
  reason text,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamptz,
  -- The call that is to dial or dials this contact now.
  call_id text,
  -- The call in which the callback was asked for that is due next.
  callback_of text,
  -- The name in the form in which names are compared, written by index_contact.
  folded_name text NOT NULL,
  CONSTRAINT contacts_pkey PRIMARY KEY (id),
  CONSTRAINT contacts_campaign_id_row_number_key UNIQUE (campaign_id, row_number),
  CONSTRAINT contacts_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.01);
CREATE INDEX contacts_due ON contacts USING btree (campaign_id, next_attempt_at, row_number) WHERE state = 'pending'::text AND call_id IS NULL;
CREATE INDEX contacts_of_name ON contacts USING btree (client_id, folded_name);
CREATE INDEX contacts_of_number ON contacts USING btree (client_id, phone_number);
CREATE TRIGGER index_contact BEFORE INSERT OR UPDATE OF name ON contacts FOR EACH ROW EXECUTE FUNCTION index_contact();

-- By which this deployment knows its own on servers that it shares with others.
CREATE TABLE deployment (
  only_row boolean DEFAULT true NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  CONSTRAINT deployment_pkey PRIMARY KEY (only_row),
  CONSTRAINT deployment_only_row_check CHECK (only_row)
);

-- Numbers in E.164 that a client must not call.
CREATE TABLE dnd_numbers (
  client_id uuid NOT NULL,
  phone_number text NOT NULL,
  -- Where the number came from, in an operator's words.
  source text NOT NULL,
  added_at timestamptz NOT NULL,
  -- The call in which the person said so: no campaign and no callback dials them, also where these ask for no check.
  asked_in_call text,
  CONSTRAINT dnd_numbers_pkey PRIMARY KEY (client_id, phone_number),
  CONSTRAINT dnd_numbers_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id)
);
CREATE INDEX dnd_numbers_by_age ON dnd_numbers USING btree (client_id, added_at, phone_number);
CREATE TRIGGER count_deleted AFTER DELETE ON dnd_numbers REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_inserted AFTER INSERT ON dnd_numbers REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON dnd_numbers FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

-- Belongs to no client: a registry answers for a number, whoever calls it.
CREATE TABLE dnd_registry_answers (
  phone_number text NOT NULL,
  listed boolean NOT NULL,
  asked_at timestamptz NOT NULL,
  CONSTRAINT dnd_registry_answers_pkey PRIMARY KEY (phone_number)
);
CREATE INDEX dnd_registry_answers_by_age ON dnd_registry_answers USING btree (asked_at);

-- Workflows that run and do not do what their row asks for, until they do or have ended: reconciliation looks at them again and again.
CREATE TABLE doubted_workflows (
  workflow_id text NOT NULL,
  -- When reconciliation first found it so.
  since timestamptz NOT NULL,
  look_at timestamptz NOT NULL,
  -- Once it is reported; null while it may only be late.
  fault text,
  CONSTRAINT doubted_workflows_pkey PRIMARY KEY (workflow_id),
  CONSTRAINT doubted_workflows_fault_check CHECK (fault = ANY (ARRAY['tasks fail'::text, 'does not conclude'::text, 'does not close'::text]))
);

-- Files that may be in the storage and belong to no row: of erased people, and of uploads until their row is there. Whatever dies in between, they are found here.
CREATE TABLE files_to_remove (
  storage_key text NOT NULL,
  -- Removed from then on; the row goes an hour later, as the file may come late.
  removable_from timestamptz NOT NULL,
  CONSTRAINT files_to_remove_pkey PRIMARY KEY (storage_key)
);

CREATE TABLE idempotency_keys (
  client_id uuid NOT NULL,
  key text NOT NULL,
  -- SHA-256 of the operation and its input.
  fingerprint bytea NOT NULL,
  -- The id of what the request makes, chosen before it is made: whoever goes on with the request uses the same one.
  subject_id text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Until then whoever reserved the key is taken to be at work.
  leased_until timestamptz NOT NULL,
  -- Encrypted; null until the request has succeeded.
  answer bytea,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (client_id, key),
  CONSTRAINT idempotency_keys_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_of_subject ON idempotency_keys USING btree (subject_id);

-- One row for each number, so that the carrier learns in order what one agent gives up and another takes.
CREATE TABLE inbound_routes (
  -- What workflows and logs name instead of the number.
  id uuid NOT NULL,
  number text NOT NULL,
  -- Whose callers they are. Null: nobody's any more, and the carrier is to forget the number; the row goes once it has.
  client_id uuid,
  agent_id uuid,
  -- Counts the changes of what the carrier is to know.
  revision bigint DEFAULT 1 NOT NULL,
  -- The last revision that is registered with the carrier.
  registered_revision bigint,
  registered_at timestamptz,
  -- Why the carrier would not have it, without the number; null where it did not refuse.
  refusal text,
  -- When reconciliation is to look at it.
  look_at timestamptz NOT NULL,
  state text GENERATED ALWAYS AS (
CASE
    WHEN agent_id IS NULL THEN 'to be removed'::text
    WHEN registered_revision = revision THEN 'in place'::text
    ELSE 'wanted'::text
END) STORED NOT NULL,
  CONSTRAINT inbound_routes_pkey PRIMARY KEY (id),
  CONSTRAINT inbound_routes_agent_id_key UNIQUE (agent_id),
  CONSTRAINT inbound_routes_number_key UNIQUE (number),
  CONSTRAINT inbound_routes_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT inbound_routes_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id)
);
CREATE INDEX inbound_routes_by_look ON inbound_routes USING btree (look_at);

-- The rights to have a live call, each owned by its call; counted against campaign and client.
CREATE TABLE lines (
  call_id text NOT NULL,
  client_id uuid NOT NULL,
  campaign_id uuid,
  -- The number of the callee or caller, so that an organization has one live call with it. Null for a browser session and a withheld number.
  number text,
  -- The line of an inbound call, of which an organization has a share (clients.caller_lines).
  is_caller boolean DEFAULT false NOT NULL,
  taken_at timestamptz NOT NULL,
  CONSTRAINT lines_pkey PRIMARY KEY (call_id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
CREATE INDEX lines_of_campaign ON lines USING btree (campaign_id);
CREATE INDEX lines_of_client ON lines USING btree (client_id);
CREATE UNIQUE INDEX lines_of_number ON lines USING btree (client_id, number) WHERE number IS NOT NULL;

-- The total of a list is the sum of its slots. A slot may be negative: what one transaction added, another may take off elsewhere. Room is left in each page, so that a new version of a slot stays beside the old one.
CREATE TABLE list_totals (
  client_id uuid NOT NULL,
  list text NOT NULL,
  -- The part of the list that a filter may ask for alone; empty where there are no parts.
  part text NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  total bigint NOT NULL,
  CONSTRAINT list_totals_pkey PRIMARY KEY (client_id, list, part, slot),
  CONSTRAINT list_totals_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

-- Addresses that an organization may send reports to, once confirmed. Unconfirmed ones are removed after 30 days.
CREATE TABLE mail_addresses (
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  -- In lower case.
  address text NOT NULL,
  -- When the last e-mail that asks to confirm was written; null where an operator confirmed it.
  asked_at timestamptz,
  -- Null until its owner or an operator has confirmed it.
  confirmed_at timestamptz,
  CONSTRAINT mail_addresses_pkey PRIMARY KEY (id),
  CONSTRAINT mail_addresses_client_id_address_key UNIQUE (client_id, address),
  CONSTRAINT mail_addresses_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE
);
CREATE INDEX mail_addresses_asked ON mail_addresses USING btree (client_id, asked_at);

-- An agent with several caller IDs shows them in turn, whichever worker dials.
CREATE TABLE outbound_turns (
  agent_id uuid NOT NULL,
  -- How many calls have taken a turn; only of agents with more than one caller ID.
  turn bigint NOT NULL,
  CONSTRAINT outbound_turns_pkey PRIMARY KEY (agent_id),
  CONSTRAINT outbound_turns_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);

-- Unlogged, because every request writes here: nothing is flushed to disk for it. A crash of the server empties it, and every client's minute begins anew.
CREATE UNLOGGED TABLE rate_limit_windows (
  -- dispatch or other, and the client's id.
  key character varying(255) NOT NULL,
  -- Requests since the window began.
  points integer DEFAULT 0 NOT NULL,
  -- When the window ends, in milliseconds since the epoch.
  expire bigint,
  CONSTRAINT rate_limit_windows_pkey PRIMARY KEY (key)
);

-- Webhook requests that may be under way to one client's endpoint. Unlogged, because every attempt writes here: a crash of the server ends all turns.
CREATE UNLOGGED TABLE receiver_turns (
  id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- The client, and the scheme, host and port.
  receiver text NOT NULL,
  slot integer NOT NULL,
  taken_until timestamptz NOT NULL,
  CONSTRAINT receiver_turns_pkey PRIMARY KEY (id),
  CONSTRAINT receiver_turns_receiver_slot_key UNIQUE (receiver, slot)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

-- Beside the calls, whose rows are written often and read in lists: most calls that are made have no recording.
CREATE TABLE recordings (
  call_id text NOT NULL,
  -- Under which the storage keeps it.
  storage_key text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  stored_at timestamptz NOT NULL,
  CONSTRAINT recordings_pkey PRIMARY KEY (call_id)
);

-- Numbers in E.164 that only one client may call from and answer. Whether the others are anybody's, the setting NUMBERS says.
CREATE TABLE registered_numbers (
  number text NOT NULL,
  client_id uuid NOT NULL,
  added_at timestamptz NOT NULL,
  CONSTRAINT registered_numbers_pkey PRIMARY KEY (number),
  CONSTRAINT registered_numbers_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id)
);
CREATE INDEX registered_numbers_of_client ON registered_numbers USING btree (client_id, number);

-- Calls past their time, behind the mark, that were not processed when they were passed by: seen to once they are.
CREATE TABLE retention_left (
  client_id uuid NOT NULL,
  kind text NOT NULL,
  call_id text NOT NULL,
  CONSTRAINT retention_left_pkey PRIMARY KEY (client_id, kind, call_id),
  CONSTRAINT retention_left_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(call_id) ON DELETE CASCADE,
  CONSTRAINT retention_left_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  CONSTRAINT retention_left_kind_check CHECK (kind = ANY (ARRAY['recordings'::text, 'transcripts'::text, 'contacts'::text]))
);

-- Calls of a client that ended up to here were seen to, each once, whatever the days are by then.
CREATE TABLE retention_marks (
  client_id uuid NOT NULL,
  kind text NOT NULL,
  ended_at timestamptz NOT NULL,
  call_id text NOT NULL,
  CONSTRAINT retention_marks_pkey PRIMARY KEY (client_id, kind),
  CONSTRAINT retention_marks_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  CONSTRAINT retention_marks_kind_check CHECK (kind = ANY (ARRAY['recordings'::text, 'transcripts'::text, 'contacts'::text]))
);

-- What webhooks are signed with.
CREATE TABLE signing_secrets (
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  secret_encrypted bytea NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  CONSTRAINT signing_secrets_pkey PRIMARY KEY (id),
  CONSTRAINT signing_secrets_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id)
);
CREATE INDEX signing_secrets_of_client ON signing_secrets USING btree (client_id);

-- Credits of the talk that ended on a UTC day; the owner is a campaign or a client.
CREATE TABLE spend (
  owner_id uuid NOT NULL,
  day date NOT NULL,
  credits numeric(14,4) NOT NULL,
  CONSTRAINT spend_pkey PRIMARY KEY (owner_id, day)
);

-- When the next call may be placed over a trunk. One row for all workers, so that they keep the pace together.
CREATE TABLE trunks (
  trunk text NOT NULL,
  next_slot_at timestamptz NOT NULL,
  CONSTRAINT trunks_pkey PRIMARY KEY (trunk)
);

-- In the partition of its delivery's month, with which it is dropped.
CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,
  at timestamptz NOT NULL,
  status_code integer,
  duration_ms integer NOT NULL,
  error text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt)
) PARTITION BY RANGE (delivery_id);

-- An event on its way to a URL. A partition for each month of its ids (keep_months). It refers to nothing, so that a month comes and goes without a lock of calls, campaigns or clients.
CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  client_id uuid NOT NULL,
  campaign_id uuid,
  call_id text,
  event text NOT NULL,
  url text NOT NULL,
  body text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  created_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  -- The number of the last attempt, of which the first are not kept for ever.
  attempts_made integer DEFAULT 0 NOT NULL,
  -- A redelivery is a new round of attempts: how many were made in the rounds before it.
  earlier_attempts integer DEFAULT 0 NOT NULL,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX webhook_deliveries_of_call ON ONLY webhook_deliveries USING btree (call_id) WHERE call_id IS NOT NULL;
CREATE INDEX webhook_deliveries_of_campaign ON ONLY webhook_deliveries USING btree (campaign_id, created_at, id) INCLUDE (client_id, status) WHERE campaign_id IS NOT NULL;
CREATE INDEX webhook_deliveries_of_client ON ONLY webhook_deliveries USING btree (client_id, created_at, id);
CREATE INDEX webhook_deliveries_of_status ON ONLY webhook_deliveries USING btree (client_id, status, created_at, id);
CREATE INDEX webhook_deliveries_pending ON ONLY webhook_deliveries USING btree (next_attempt_at) WHERE status = 'pending'::text;
CREATE TRIGGER count_deleted AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries();
CREATE TRIGGER count_inserted AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON webhook_deliveries FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries();

-- Functions: each is defined in db/functions/<name>.sql.
--   add_to_list(p_client uuid, p_list text, p_part text, p_change bigint) returns void, plpgsql
--   ask_refill(p_campaign uuid, p_now timestamptz) returns boolean, plpgsql
--   brake_of(c campaigns, p_limits jsonb, p_now timestamptz) returns jsonb, plpgsql
--   caller_lines_of(c clients) returns integer, sql immutable
--   claim_page(p_campaign uuid, p_now timestamptz, p_until timestamptz, p_limit integer) returns jsonb, plpgsql
--   count_agent_bytes() returns trigger, plpgsql
--   count_agents() returns trigger, plpgsql
--   count_campaigns() returns trigger, plpgsql
--   count_contacts() returns trigger, plpgsql
--   count_deliveries() returns trigger, plpgsql
--   count_rows() returns trigger, plpgsql
--   drop_call_month(p_month date) returns void, plpgsql
--   end_callback(p_of text, p_answered boolean, p_call_status text) returns void, sql
--   end_calls(p_ends jsonb) returns jsonb, plpgsql
--   failure_rate(p_recent text, p_dials integer) returns numeric, sql immutable
--   first_key(p_is_id boolean, p_month timestamp without time zone) returns text, sql stable
--   fold(p_text text) returns text, sql immutable
--   give_up_redials(p_campaign uuid, p_now timestamptz) returns jsonb, plpgsql
--   grant_lines(p_client uuid, p_now timestamptz) returns text[], plpgsql
--   hang_up(p_call text, p_client uuid, p_end jsonb, p_now timestamptz) returns jsonb, plpgsql
--   has_contacts_left(p_campaign uuid) returns boolean, plpgsql stable
--   has_too_many_before(k calls, c campaigns) returns boolean, plpgsql stable
--   hold_months(p_alone boolean) returns void, plpgsql
--   inbound_answer(p_carrier_id text) returns jsonb, sql
--   index_contact() returns trigger, plpgsql
--   index_words() returns trigger, plpgsql
--   instant_of_id(p_id uuid) returns timestamptz, sql immutable
--   is_past_spend(p_client uuid, p_kind text, p_configured numeric, p_now timestamptz) returns boolean, sql stable
--   keep_months(p_table text, p_now timestamptz, p_keep_from timestamptz) returns integer, plpgsql
--   make_call_month(p_month date) returns void, plpgsql
--   make_months(p_table text, p_now timestamptz) returns void, plpgsql
--   may_use_number(p_number text, p_client uuid, p_registered_only boolean) returns boolean, sql stable
--   months_of(p_calls text[]) returns date[], sql immutable
--   next_segment_seq() returns trigger, plpgsql
--   notify_call() returns trigger, plpgsql
--   notify_segments() returns trigger, plpgsql
--   ready_ahead(c campaigns) returns integer, sql stable
--   register_waiting(p_client uuid, p_calls text[], p_now timestamptz) returns jsonb, plpgsql
--   return_line(p_call text, p_now timestamptz) returns jsonb, plpgsql
--   schedule_callback(p_call text, p_request jsonb, p_now timestamptz) returns jsonb, plpgsql
--   search_calls(p_client uuid, p_agent uuid, p_campaign uuid, p_status text, p_search text, p_call text, p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer) returns TABLE(total integer, call_ids text[]), plpgsql
--   settle_calls(p_client uuid, p_after jsonb, p_before timestamptz, p_limit integer) returns jsonb, plpgsql
--   start_dial(p_call text, p_now timestamptz, p_not_after timestamptz, p_guards jsonb DEFAULT '{}'::jsonb) returns jsonb, plpgsql
--   start_transfer(p_call text, p_transfer jsonb, p_now timestamptz, p_guards jsonb) returns jsonb, plpgsql
--   store_version(p_agent uuid, p_config jsonb, p_status text, p_now timestamptz) returns integer, plpgsql
--   take_inbound(p_event jsonb, p_now timestamptz, p_limits jsonb) returns jsonb, plpgsql
--   take_turn(p_client uuid, p_url text, p_now timestamptz, p_until timestamptz, p_most integer) returns integer, plpgsql
--   turn_on_trunk(p_call text, p_slot timestamptz, p_trunk text, p_every_ms numeric, p_now timestamptz) returns numeric, plpgsql
--   use_version() returns trigger, plpgsql
--   withdraw_rest(p_campaign uuid, p_contact_state text, p_call_status text, p_end_reason text, p_now timestamptz) returns jsonb, plpgsql
--   words_of(p_text text) returns text[], plpgsql immutable
--   write_words(p_calls text[]) returns void, sql
