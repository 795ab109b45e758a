-- Contents of the database after `npm run migrate`. `npm run schema` generates this file for readers; it is never run. A test compares it.
-- Tables come from db/migrations/, functions and triggers from db/functions/.

-- Configurations of agents. Versions with equal configurations share a row.
CREATE TABLE agent_configs (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  agent_id uuid NOT NULL,
  -- SHA-256 of the configuration as Postgres prints it, which is the same for equal configurations.
  hash bytea NOT NULL,
  config jsonb NOT NULL,
  -- Counts towards the quota agent_bytes (count_agent_bytes).
  bytes integer GENERATED ALWAYS AS (octet_length(config::text)) STORED NOT NULL,
  CONSTRAINT agent_configs_pkey PRIMARY KEY (id),
  CONSTRAINT agent_configs_agent_id_hash_key UNIQUE (agent_id, hash),
  CONSTRAINT agent_configs_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);
CREATE TRIGGER count_deleted AFTER DELETE ON agent_configs REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_agent_bytes();
CREATE TRIGGER count_inserted AFTER INSERT ON agent_configs REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_agent_bytes();
CREATE TRIGGER count_updated AFTER UPDATE ON agent_configs REFERENCING OLD TABLE AS deleted NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_agent_bytes();

-- Test conversations of an agent, replaced as a whole. They apply to every version, and archiving the agent deletes them.
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

-- Versions never change, because a call is evaluated by the configuration that it used. Old versions that no call used are removed (store_version).
CREATE TABLE agent_versions (
  agent_id uuid NOT NULL,
  version integer NOT NULL,
  config_id bigint NOT NULL,
  -- A call was created with this version (use_version). Stays true even if that call never happens.
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
  organization_id uuid NOT NULL,
  -- Slug of the agent, unique in the organization.
  agent_name text NOT NULL,
  display_name text NOT NULL,
  status text NOT NULL,
  published boolean DEFAULT true NOT NULL,
  published_at timestamptz,
  archived boolean DEFAULT false NOT NULL,
  -- Current version, which new calls use. 0 only inside the transaction that creates the agent.
  version integer DEFAULT 0 NOT NULL,
  -- Deployment section of the current configuration. Lists show it, and reading it here avoids unpacking the whole configuration.
  deployment jsonb,
  gsheet_config jsonb,
  created_at timestamptz DEFAULT now() NOT NULL,
  last_edited_at timestamptz NOT NULL,
  CONSTRAINT agents_pkey PRIMARY KEY (id),
  CONSTRAINT agents_organization_id_agent_name_key UNIQUE (organization_id, agent_name),
  CONSTRAINT agents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX agents_inbound ON agents USING btree ((deployment #>> '{phone,call_type,Inbound}'::text[])) WHERE NOT archived;
CREATE INDEX agents_of_organization ON agents USING btree (organization_id, created_at, id) INCLUDE (published) WHERE NOT archived;
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
  -- Position in the order in which the segments of the call arrived.
  seq integer NOT NULL,
  -- The caller or callee interrupted it.
  interrupted boolean DEFAULT false NOT NULL,
  -- Confidence of the speech recognition, from 0 to 1.
  confidence real,
  language text,
  month date
) PARTITION BY LIST (month);

-- Has one row per call attempt, inbound call and browser session. Its id is also the id of the workflow.
CREATE TABLE all_calls (
  call_id text NOT NULL,
  organization_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_version integer NOT NULL,
  campaign_id uuid,
  contact_id bigint,
  -- Number of this dial among the dials of the contact. Null for a callback, which is not counted, and for a call without a contact.
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
  -- Voice that the dispatch asked for.
  voice text,
  -- Voice and greeting that the dispatch of a browser session asked for; null for a phone call.
  session jsonb,
  -- The dispatch allowed calling a number that is on a do-not-disturb list.
  dnd_check_skipped boolean DEFAULT false NOT NULL,
  -- claimed -> waiting -> granted (holds a line) -> requested (the carrier may have the request) -> placed -> over.
  stage text DEFAULT 'claimed'::text NOT NULL,
  call_status text DEFAULT 'queued'::text NOT NULL,
  -- Final value of call_status; null until then.
  final_status text GENERATED ALWAYS AS (
CASE
    WHEN call_status = ANY (ARRAY['queued'::text, 'dialing'::text, 'ringing'::text, 'in progress'::text]) THEN NULL::text
    ELSE call_status
END) STORED,
  end_reason text,
  accepted_at timestamptz NOT NULL,
  -- For a callback without a campaign: its workflow sleeps until this time.
  not_before timestamptz,
  -- For a callback without a campaign: it must not be dialled from this time on.
  dial_until timestamptz,
  waiting_since timestamptz,
  granted_at timestamptz,
  -- Slot of the call on the trunk.
  dial_slot_at timestamptz,
  -- While the stage is granted: until this time a worker may wait for the agent or the do-not-disturb registry, so the call needs no wake-up.
  preparing_until timestamptz,
  -- When the carrier was asked to dial, or the browser session opened.
  requested_at timestamptz,
  -- While the stage is requested: until this time a phone can ring before the carrier shows the call.
  pending_until timestamptz,
  -- The carrier must not accept the request from this time on.
  not_after timestamptz,
  carrier_id text,
  deadline_at timestamptz,
  -- When the carrier last reported on the call.
  reported_at timestamptz,
  dialing_at timestamptz,
  ringing_at timestamptz,
  answered_at timestamptz,
  answered_by text,
  -- When a person asked to hang up the call.
  hang_up_requested_at timestamptz,
  -- When we lost the phone call: it may continue, but we cannot hang it up.
  orphaned_at timestamptz,
  -- The process that died: bridge or livekit. Also livekit if that is unknown.
  orphaned_by text,
  -- For an orphaned call: the latest time at which it ends and its line is released.
  line_kept_until timestamptz,
  -- For an inbound call whose workflow is not known to run: the time since which it should run.
  to_start_since timestamptz,
  ended_at timestamptz,
  duration_ms bigint DEFAULT 0 NOT NULL,
  call_cost numeric(14,4) DEFAULT 0 NOT NULL,
  -- The contact will be redialled at next_attempt_at.
  will_retry boolean DEFAULT false NOT NULL,
  next_attempt_at timestamptz,
  -- How often its agent asked to transfer the call, refused or not (start_transfer).
  transfers integer DEFAULT 0 NOT NULL,
  -- How often its agent received the secret headers of an action's request.
  action_requests integer DEFAULT 0 NOT NULL,
  -- The person asked not to be called again.
  do_not_call boolean DEFAULT false NOT NULL,
  callback_requested boolean DEFAULT false NOT NULL,
  callback_id text,
  callback_status text,
  -- Due time of the callback that this call asked for.
  callback_at timestamptz,
  -- Call that asked for this callback.
  callback_of text,
  -- Number of callbacks that led to this call.
  callback_depth integer DEFAULT 0 NOT NULL,
  -- Highest seq of its segments. Counted under the lock of the row, so that a later segment is never committed before an earlier one.
  emitted_segments integer DEFAULT 0 NOT NULL,
  post_processing_status text DEFAULT 'not_processed'::text NOT NULL,
  summary text,
  entity jsonb,
  eval_tag text,
  conversation_eval jsonb,
  conversation_quality jsonb,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  outcome text,
  -- When the call was processed and its webhook written. Only the delivery remains.
  concluded_at timestamptz,
  -- When the person of the call was erased. Data that arrives later is not stored.
  erased_at timestamptz,
  -- When the ticket of the agent's job expires, in milliseconds since the epoch; 0 for an inbound call.
  agent_ticket bigint,
  -- SHA-256 of the secret that authenticates the process of that job.
  agent_claim bytea,
  -- First day of the month that the call is archived in; null until then.
  month date
) PARTITION BY LIST (month);
CREATE INDEX calls_by_callee ON ONLY all_calls USING btree (to_number) WHERE direction = 'Outbound'::text;
CREATE INDEX calls_by_caller ON ONLY all_calls USING btree (regexp_replace(split_part(from_number, '@'::text, 1), '\D'::text, ''::text, 'g'::text)) WHERE direction = 'Incoming'::text AND medium = 'telephony'::text;
CREATE INDEX calls_ended ON ONLY all_calls USING btree (organization_id, ended_at, call_id) WHERE stage = 'over'::text;
CREATE INDEX calls_history ON ONLY all_calls USING btree (organization_id, accepted_at, call_id);
CREATE INDEX calls_of_agent ON ONLY all_calls USING btree (organization_id, agent_id, accepted_at, call_id) INCLUDE (final_status);
CREATE INDEX calls_of_campaign ON ONLY all_calls USING btree (campaign_id, accepted_at, call_id) INCLUDE (organization_id, final_status) WHERE campaign_id IS NOT NULL;
CREATE INDEX calls_of_final_status ON ONLY all_calls USING btree (organization_id, final_status, accepted_at, call_id) WHERE final_status IS NOT NULL;
CREATE TRIGGER index_changes AFTER UPDATE OF agent_id, campaign_id, call_status ON all_calls FOR EACH ROW WHEN (old.concluded_at IS NOT NULL AND (old.agent_id IS DISTINCT FROM new.agent_id OR old.campaign_id IS DISTINCT FROM new.campaign_id OR old.call_status IS DISTINCT FROM new.call_status)) EXECUTE FUNCTION index_words();

CREATE TABLE api_keys (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  prefix text NOT NULL,
  key_hash bytea NOT NULL,
  -- Name of the key, for operators.
  label text,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Accurate to the minute.
  last_used_at timestamptz,
  -- The key that created this key, directly or through a console session. Revoking it revokes this key too. Null if an operator created this key.
  made_by uuid,
  -- Actions that the key allows; null for all.
  scopes text[],
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_keys_made_by_fkey FOREIGN KEY (made_by) REFERENCES api_keys(id) ON DELETE SET NULL,
  CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read'::text, 'operate'::text, 'configure'::text])
);
CREATE INDEX api_keys_made_by ON api_keys USING btree (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX api_keys_of_organization ON api_keys USING btree (organization_id, created_at DESC, id);

-- Files of db/functions that npm run migrate has applied.
CREATE TABLE applied_functions (
  name text NOT NULL,
  checksum text NOT NULL,
  CONSTRAINT applied_functions_pkey PRIMARY KEY (name)
);

-- Records who changed what, in monthly partitions (keep_partitions). It has no foreign keys, because entries outlive their subjects.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  at timestamptz NOT NULL,
  organization_id uuid,
  actor_kind text NOT NULL,
  -- Id of the API key or agent, or name of the operator who ran the command. A visitor is a browser that failed to sign in.
  actor_id text NOT NULL,
  -- IP address of the request; null for commands and agents.
  address text,
  request_id text,
  -- Has the form noun.verb, such as campaign.update.
  action text NOT NULL,
  subject_id text NOT NULL,
  -- Names of the changed fields, never their values, because values can be personal. For a transfer: its masked destination, and the reason if it was refused.
  fields text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (at, id),
  CONSTRAINT audit_log_actor_kind_check CHECK (actor_kind = ANY (ARRAY['api_key'::text, 'operator'::text, 'agent'::text, 'visitor'::text]))
) PARTITION BY RANGE (at);
CREATE INDEX audit_log_of_action ON ONLY audit_log USING btree (organization_id, action, at DESC, id DESC);
CREATE INDEX audit_log_of_actor ON ONLY audit_log USING btree (organization_id, actor_id, at DESC, id DESC);
CREATE INDEX audit_log_of_organization ON ONLY audit_log USING btree (organization_id, at DESC, id DESC);
CREATE INDEX audit_log_of_others ON ONLY audit_log USING btree (organization_id, actor_kind, at DESC, id DESC) WHERE actor_kind <> 'api_key'::text;
CREATE INDEX audit_log_of_subject ON ONLY audit_log USING btree (subject_id, at DESC, id DESC);

-- Analyses of calls by a language model.
CREATE TABLE call_analyses (
  call_id text NOT NULL,
  requested_at timestamptz NOT NULL,
  -- When reconciliation checks that the analysis is in progress.
  check_at timestamptz NOT NULL,
  -- Validated answer of the model. Kept until the call is concluded, because the row of the call then has the findings.
  answer jsonb,
  model text,
  -- Usage and cost of the model, as in call_reports.
  usage jsonb,
  -- Reason for the last failure, from a fixed list.
  failure text,
  -- Method of the analysis; null until the call is concluded.
  method text,
  CONSTRAINT call_analyses_pkey PRIMARY KEY (call_id),
  CONSTRAINT call_analyses_method_check CHECK (method = ANY (ARRAY['model'::text, 'rules'::text]))
);

-- Reports of the agent about a call, without personal data. A table of its own keeps rows of calls small.
CREATE TABLE call_reports (
  call_id text NOT NULL,
  -- {models: [{kind, provider, model, purpose, …, cost}], responseMs: [], interruptions}. The last report counts.
  usage jsonb,
  usage_at timestamptz,
  -- When the agent asked for a callback.
  callback_requested_at timestamptz,
  -- Time of the callback; null if the agent named none.
  callback_at timestamptz,
  CONSTRAINT call_reports_pkey PRIMARY KEY (call_id)
);

-- Segments of calls that are not archived. The others are in the month of their call and are dropped with it.
CREATE TABLE call_segments PARTITION OF all_call_segments (
  CONSTRAINT call_segments_pkey PRIMARY KEY (call_id, start_ms, speaker)
) FOR VALUES IN (NULL) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE TRIGGER call_segments_notified AFTER INSERT ON call_segments REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION notify_segments();
CREATE TRIGGER call_segments_seq BEFORE INSERT ON call_segments FOR EACH ROW WHEN (new.seq IS NULL) EXECUTE FUNCTION next_segment_seq();
CREATE TRIGGER index_words AFTER INSERT ON call_segments REFERENCING NEW TABLE AS said FOR EACH STATEMENT EXECUTE FUNCTION index_words();

-- Words of the transcripts of concluded calls, for searches (write_words). A table of its own keeps rows of calls small.
CREATE TABLE call_words (
  call_id text NOT NULL,
  organization_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  campaign_id uuid,
  final_status text,
  accepted_at timestamptz NOT NULL,
  -- Words of caller or callee and agent, without their order. The column has nothing else, so that no word matches an owner.
  words tsvector NOT NULL,
  CONSTRAINT call_words_pkey PRIMARY KEY (call_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX call_words_by_time ON call_words USING btree (organization_id, accepted_at, call_id);
CREATE INDEX call_words_said ON call_words USING gin (words, (ARRAY[organization_id::text, agent_id::text, campaign_id::text, final_status]));

-- Limits the callbacks per number (schedule_callback). A row has no number in clear, so it stays when its person is erased. Retention deletes it seven days after the last callback.
CREATE TABLE callback_caps (
  organization_id uuid NOT NULL,
  -- HMAC-SHA-256 of the organization and the number, with a key of SECRETS_KEY.
  number_hash bytea NOT NULL,
  -- UTC day on which the last callback was scheduled.
  day date NOT NULL,
  -- Number of callbacks scheduled on that day.
  scheduled integer NOT NULL,
  -- Call that asked for the last callback.
  last_call_id text NOT NULL,
  CONSTRAINT callback_caps_pkey PRIMARY KEY (organization_id, number_hash),
  CONSTRAINT callback_caps_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX callback_caps_by_day ON callback_caps USING btree (day);

-- An agent with several caller IDs uses them in rotation, over all workers.
CREATE TABLE caller_id_rotation (
  agent_id uuid NOT NULL,
  -- Number of calls that took a caller ID. Only agents with several caller IDs have a row.
  turn bigint NOT NULL,
  CONSTRAINT caller_id_rotation_pkey PRIMARY KEY (agent_id),
  CONSTRAINT caller_id_rotation_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);

-- Calls that are not archived. Archived calls are in one partition per month of their ids, in UTC (archive_calls).
CREATE TABLE calls PARTITION OF all_calls (
  CONSTRAINT calls_pkey PRIMARY KEY (call_id),
  CONSTRAINT calls_contact_id_attempt_key UNIQUE (contact_id, attempt),
  CONSTRAINT calls_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT calls_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id),
  CONSTRAINT calls_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES contacts(id),
  CONSTRAINT calls_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
) FOR VALUES IN (NULL) WITH (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.01);
CREATE INDEX calls_callback_of ON calls USING btree (callback_of) WHERE callback_of IS NOT NULL;
CREATE INDEX calls_live ON calls USING btree (stage) WHERE stage = ANY (ARRAY['granted'::text, 'requested'::text, 'placed'::text]);
CREATE UNIQUE INDEX calls_of_callers ON calls USING btree (carrier_id) WHERE direction = 'Incoming'::text AND medium = 'telephony'::text;
CREATE INDEX calls_open ON calls USING btree (campaign_id, stage) WHERE stage <> 'over'::text;
CREATE INDEX calls_orphaned ON calls USING btree (line_kept_until) WHERE line_kept_until IS NOT NULL AND stage = 'placed'::text;
CREATE INDEX calls_to_hang_up ON calls USING btree (hang_up_requested_at) WHERE hang_up_requested_at IS NOT NULL AND (stage = ANY (ARRAY['requested'::text, 'placed'::text]));
CREATE INDEX calls_to_start ON calls USING btree (to_start_since) WHERE to_start_since IS NOT NULL;
CREATE INDEX calls_unconcluded ON calls USING btree (campaign_id) WHERE stage = 'over'::text AND concluded_at IS NULL;
CREATE INDEX calls_waiting ON calls USING btree (organization_id, campaign_id, waiting_since, contact_id) WHERE stage = ANY (ARRAY['claimed'::text, 'waiting'::text]);
CREATE TRIGGER calls_notified AFTER UPDATE OF answered_at, stage ON calls FOR EACH ROW WHEN (new.answered_at IS NOT NULL AND old.answered_at IS NULL OR new.stage = 'over'::text AND old.stage <> 'over'::text) EXECUTE FUNCTION notify_call();
CREATE TRIGGER count_deleted AFTER DELETE ON calls REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_inserted AFTER INSERT ON calls REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON calls FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER index_words AFTER UPDATE OF concluded_at ON calls FOR EACH ROW WHEN (old.concluded_at IS NULL AND new.concluded_at IS NOT NULL) EXECUTE FUNCTION index_words();
CREATE TRIGGER use_version BEFORE INSERT ON calls FOR EACH ROW EXECUTE FUNCTION use_version();

CREATE TABLE campaigns (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  campaign_name text NOT NULL,
  status text NOT NULL,
  status_reason text,
  -- Paused by a pause of all campaigns, and not paused, resumed or changed since. Only these campaigns are resumed by a resume of all.
  paused_with_all boolean DEFAULT false NOT NULL,
  -- Last of the four reported statuses that a webhook has sent. It becomes old_status of the next webhook.
  reported_status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  contact_source_type text NOT NULL,
  -- Null after a person in the file was erased. From then on, the file is generated from the contacts.
  contact_file_key text,
  contact_file_bytes bigint DEFAULT 0 NOT NULL,
  -- Row of the last contact in its file; 0 without a file. Contacts in later rows were appended.
  contact_file_rows integer DEFAULT 0 NOT NULL,
  -- Columns of the file in their order, which the JSON of the contacts' variables does not keep. Then the names of other variables of appended contacts.
  contact_columns text[] DEFAULT '{}'::text[] NOT NULL,
  -- List that it was created from; null for a file or a deleted list.
  contact_list_id uuid,
  -- When retention erased its contacts and its file.
  contacts_erased_at timestamptz,
  days_of_week text NOT NULL,
  -- Start of the daily window in minutes after midnight, in UTC or window_timezone.
  start_minute integer NOT NULL,
  end_minute integer NOT NULL,
  from_date text NOT NULL,
  to_date text NOT NULL,
  -- Zone of the window, weekdays and dates: an IANA name, or `contact` for the zone of each contact; null for UTC.
  window_timezone text,
  -- Name of a shipped rule profile or of one in rule_profiles; null for none.
  rule_profile text,
  -- All values of contacts.zone_key, so that due contacts are found zone by zone.
  zone_keys text[] DEFAULT '{""}'::text[] NOT NULL,
  -- Maximum number of dials per contact: 1 means no redial.
  max_attempts integer NOT NULL,
  retry_delay_mins integer NOT NULL,
  concurrency integer NOT NULL,
  perform_dnd_check boolean DEFAULT false NOT NULL,
  notification_emails text[] DEFAULT '{}'::text[] NOT NULL,
  webhook_url text,
  per_call_webhook_url text,
  -- When dialling must stop. The campaign's workflow sets it while its window is open.
  dialing_until timestamptz,
  -- When the campaign last got a line. Lines are shared among the campaigns of an organization by this order.
  last_granted_at timestamptz,
  -- When the workflow was asked to survey the campaign; null once it has. This allows one signal per page of calls, which is repeated if it is lost.
  refill_requested_at timestamptz,
  -- When reconciliation checks that its workflow runs. Each survey by the workflow postpones it.
  check_at timestamptz NOT NULL,
  -- Latest dials, as in organizations.recent_dials.
  recent_dials text DEFAULT ''::text NOT NULL,
  total_contacts integer NOT NULL,
  in_progress_contacts integer DEFAULT 0 NOT NULL,
  completed_contacts integer DEFAULT 0 NOT NULL,
  failed_contacts integer DEFAULT 0 NOT NULL,
  -- Counts towards the quota contacts (count_contacts).
  kept_contacts integer GENERATED ALWAYS AS (
CASE
    WHEN contacts_erased_at IS NULL THEN total_contacts
    ELSE 0
END) STORED NOT NULL,
  -- Counts towards the quota contact_file_bytes (count_contacts).
  kept_file_bytes bigint GENERATED ALWAYS AS (
CASE
    WHEN contact_file_key IS NULL THEN 0::bigint
    ELSE contact_file_bytes
END) STORED NOT NULL,
  CONSTRAINT campaigns_pkey PRIMARY KEY (id),
  CONSTRAINT campaigns_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT campaigns_contact_list_id_fkey FOREIGN KEY (contact_list_id) REFERENCES contact_lists(id) ON DELETE SET NULL,
  CONSTRAINT campaigns_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT campaigns_concurrency_check CHECK (concurrency >= 1)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
CREATE INDEX campaigns_active ON campaigns USING btree (organization_id) WHERE status = 'active'::text;
CREATE INDEX campaigns_keeping ON campaigns USING btree (organization_id, ended_at) WHERE ended_at IS NOT NULL AND contacts_erased_at IS NULL;
CREATE INDEX campaigns_of_organization ON campaigns USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX campaigns_of_status ON campaigns USING btree (organization_id, status, created_at, id);
CREATE INDEX campaigns_open ON campaigns USING btree (id) WHERE ended_at IS NULL;
CREATE TRIGGER count_contacts_changed AFTER UPDATE OF total_contacts, contacts_erased_at, contact_file_key ON campaigns FOR EACH ROW WHEN (old.total_contacts <> new.total_contacts OR old.contacts_erased_at IS DISTINCT FROM new.contacts_erased_at OR old.contact_file_key IS DISTINCT FROM new.contact_file_key) EXECUTE FUNCTION count_contacts();
CREATE TRIGGER count_contacts_deleted AFTER DELETE ON campaigns REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE TRIGGER count_contacts_inserted AFTER INSERT ON campaigns REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE TRIGGER count_contacts_truncated AFTER TRUNCATE ON campaigns FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE TRIGGER count_deleted AFTER DELETE ON campaigns REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
CREATE TRIGGER count_inserted AFTER INSERT ON campaigns REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
CREATE TRIGGER count_moved AFTER UPDATE OF status ON campaigns FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION count_campaigns();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON campaigns FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();

-- Calls with listeners to live captions. Notifications are sent for these calls only, until a time by the clock of the database that listeners renew.
CREATE TABLE caption_listeners (
  call_id text NOT NULL,
  until timestamptz NOT NULL,
  CONSTRAINT caption_listeners_pkey PRIMARY KEY (call_id),
  CONSTRAINT caption_listeners_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(call_id) ON DELETE CASCADE
);

-- Extra runs of the reconciliation that processes requested after an outage and that have not happened yet. The process that holds the reconciliation lock makes them.
CREATE TABLE catch_ups (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  requested_at timestamptz NOT NULL,
  CONSTRAINT catch_ups_pkey PRIMARY KEY (id)
);

-- E-mails about a campaign: one row for each recipient of its report, written when it ends, and for each address that must be confirmed.
CREATE TABLE completion_mails (
  campaign_id uuid NOT NULL,
  -- Position among the campaign's recipients, from 1 for reports and from 101 for confirmations. Workflows and logs use it instead of the address.
  recipient smallint NOT NULL,
  -- Empty after the address was erased, or was not confirmed for 30 days.
  address text NOT NULL,
  kind text DEFAULT 'report'::text NOT NULL,
  -- pending -> sent | failed (refused, or out of attempts) | skipped (no mail server, no call, or above the daily limit). Unconfirmed addresses start and stay as unconfirmed.
  status text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  -- Never contains addresses.
  last_error text,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  -- When reconciliation checks that a workflow is sending it.
  check_at timestamptz NOT NULL,
  CONSTRAINT completion_mails_pkey PRIMARY KEY (campaign_id, recipient),
  CONSTRAINT completion_mails_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE,
  CONSTRAINT completion_mails_kind_check CHECK (kind = ANY (ARRAY['report'::text, 'confirmation'::text])),
  CONSTRAINT completion_mails_status_check CHECK (status = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'skipped'::text, 'unconfirmed'::text]))
);
CREATE INDEX completion_mails_pending ON completion_mails USING btree (check_at) WHERE status = 'pending'::text;

-- Tokens that open the console without the API key while that key is valid: browser sessions, and one-time links that create a session.
CREATE TABLE console_tokens (
  -- Identifies a session in lists. It does not authenticate.
  id uuid NOT NULL,
  token_hash bytea NOT NULL,
  kind text NOT NULL,
  key_id uuid NOT NULL,
  -- IP address of the browser that signed in; null for a link.
  address text,
  -- The operator who created the link allowed it to show Temporal's Web UI.
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

CREATE TABLE contact_lists (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  -- Number of its contacts.
  contacts integer DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT contact_lists_pkey PRIMARY KEY (id),
  CONSTRAINT contact_lists_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
CREATE INDEX contact_lists_of_organization ON contact_lists USING btree (organization_id, created_at DESC, id DESC);

CREATE TABLE contacts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  campaign_id uuid NOT NULL,
  -- Owner of the campaign, written by index_contact.
  organization_id uuid NOT NULL,
  row_number integer NOT NULL,
  name text NOT NULL,
  phone_number text NOT NULL,
  variables jsonb NOT NULL,
  state text DEFAULT 'pending'::text NOT NULL,
  reason text,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamptz,
  -- Call that is waiting to dial this contact or dials it now.
  call_id text,
  -- Call that asked for the callback that is due next.
  callback_of text,
  -- The organization's own id of the contact.
  external_id text,
  -- Contact of a list that it was copied from.
  list_contact_id bigint,
  -- IANA name; null for the zones of its number.
  timezone text,
  language text,
  -- When the person agreed to be called; null if they did not.
  consent_at timestamptz,
  -- Contacts with the same key are in the same time zones (domain/rules/number-zones.ts). Empty until a survey under rules that depend on zones fills it.
  zone_key text DEFAULT ''::text NOT NULL,
  -- Name normalized for comparison, written by index_contact.
  folded_name text NOT NULL,
  CONSTRAINT contacts_pkey PRIMARY KEY (id),
  CONSTRAINT contacts_campaign_id_row_number_key UNIQUE (campaign_id, row_number),
  CONSTRAINT contacts_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.01);
CREATE INDEX contacts_due ON contacts USING btree (campaign_id, zone_key, next_attempt_at, row_number) WHERE state = 'pending'::text AND call_id IS NULL;
CREATE UNIQUE INDEX contacts_of_external_id ON contacts USING btree (campaign_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX contacts_of_list_contact ON contacts USING btree (list_contact_id) WHERE list_contact_id IS NOT NULL;
CREATE INDEX contacts_of_name ON contacts USING btree (organization_id, folded_name);
CREATE INDEX contacts_of_number ON contacts USING btree (organization_id, phone_number);
CREATE TRIGGER index_contact BEFORE INSERT OR UPDATE OF name ON contacts FOR EACH ROW EXECUTE FUNCTION index_contact();

-- Id by which this deployment recognizes its own resources on servers that it shares with other deployments.
CREATE TABLE deployment (
  only_row boolean DEFAULT true NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  CONSTRAINT deployment_pkey PRIMARY KEY (only_row),
  CONSTRAINT deployment_only_row_check CHECK (only_row)
);

-- Do-not-disturb list of an organization, in E.164.
CREATE TABLE dnd_numbers (
  organization_id uuid NOT NULL,
  phone_number text NOT NULL,
  -- Source of the number, as free text of an operator.
  source text NOT NULL,
  added_at timestamptz NOT NULL,
  -- Call in which the person opted out. No campaign or callback dials the number, even if it skips the check.
  opted_out_in_call text,
  CONSTRAINT dnd_numbers_pkey PRIMARY KEY (organization_id, phone_number),
  CONSTRAINT dnd_numbers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX dnd_numbers_by_age ON dnd_numbers USING btree (organization_id, added_at, phone_number);
CREATE TRIGGER count_deleted AFTER DELETE ON dnd_numbers REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_inserted AFTER INSERT ON dnd_numbers REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON dnd_numbers FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

-- Answers of the do-not-disturb registry. They apply to all organizations.
CREATE TABLE dnd_registry_answers (
  phone_number text NOT NULL,
  listed boolean NOT NULL,
  requested_at timestamptz NOT NULL,
  CONSTRAINT dnd_registry_answers_pkey PRIMARY KEY (phone_number)
);
CREATE INDEX dnd_registry_answers_by_age ON dnd_registry_answers USING btree (requested_at);

-- Attempts to call numbers that were erased since, so that the caps of rule profiles still count them. Retention deletes them after seven days.
CREATE TABLE erased_attempts (
  organization_id uuid NOT NULL,
  -- As in callback_caps.
  number_hash bytea NOT NULL,
  attempted_at timestamptz NOT NULL,
  CONSTRAINT erased_attempts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX erased_attempts_by_age ON erased_attempts USING btree (attempted_at);
CREATE INDEX erased_attempts_of_number ON erased_attempts USING btree (organization_id, number_hash);

-- Files in the storage that may have no row: files of erased people, and uploads until their row is written. Retention finds them here after any crash.
CREATE TABLE files_to_remove (
  storage_key text NOT NULL,
  -- The file can be removed from this time on. The row stays for another hour, because an upload may finish late.
  removable_from timestamptz NOT NULL,
  CONSTRAINT files_to_remove_pkey PRIMARY KEY (storage_key)
);

CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL,
  key text NOT NULL,
  -- SHA-256 of the operation and its input.
  fingerprint bytea NOT NULL,
  -- Id of the resource that the request creates. It is chosen first, so that a retry creates the same resource.
  subject_id text NOT NULL,
  created_at timestamptz NOT NULL,
  -- The process that reserved the key is considered to be working on the request until this time.
  leased_until timestamptz NOT NULL,
  -- The encrypted response; null until the request has succeeded.
  answer bytea,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, key),
  CONSTRAINT idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_of_subject ON idempotency_keys USING btree (subject_id);

-- Has one row per number, so that the carrier receives changes in order when a number moves from one agent to another.
CREATE TABLE inbound_routes (
  -- Workflows and logs use this id instead of the number.
  id uuid NOT NULL,
  number text NOT NULL,
  -- Organization whose agents answer the number. Null when none does: the carrier must remove the route, and then the row is deleted.
  organization_id uuid,
  agent_id uuid,
  -- Number of changes that the carrier must be sent.
  revision bigint DEFAULT 1 NOT NULL,
  -- Last revision that is registered with the carrier.
  registered_revision bigint,
  registered_at timestamptz,
  -- Reason why the carrier refused the route, without the number; null if it did not.
  refusal text,
  -- When reconciliation checks the route.
  check_at timestamptz NOT NULL,
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
  CONSTRAINT inbound_routes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX inbound_routes_by_check ON inbound_routes USING btree (check_at);

-- Each row is the right to have one live call, owned by that call and counted against campaign and organization.
CREATE TABLE lines (
  call_id text NOT NULL,
  organization_id uuid NOT NULL,
  campaign_id uuid,
  -- Number of the callee or caller, because an organization has at most one live call with it. Null for a browser session or a withheld number.
  number text,
  -- The line of an inbound call. Inbound calls may use a share of the lines (organizations.caller_lines).
  is_caller boolean DEFAULT false NOT NULL,
  taken_at timestamptz NOT NULL,
  CONSTRAINT lines_pkey PRIMARY KEY (call_id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
CREATE INDEX lines_of_campaign ON lines USING btree (campaign_id);
CREATE UNIQUE INDEX lines_of_number ON lines USING btree (organization_id, number) WHERE number IS NOT NULL;
CREATE INDEX lines_of_organization ON lines USING btree (organization_id);

CREATE TABLE list_contacts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  list_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  -- The organization's own id of the contact. Without one, the number identifies the contact within its list.
  external_id text,
  name text NOT NULL,
  phone_number text NOT NULL,
  -- IANA name. Null for the zones of the number.
  timezone text,
  language text,
  consent_at timestamptz,
  consent_source text,
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Contacts with the same key are in the same time zones (domain/rules/number-zones.ts).
  zone_key text NOT NULL,
  -- Name normalized for comparison by fold.
  folded_name text NOT NULL,
  CONSTRAINT list_contacts_pkey PRIMARY KEY (id),
  CONSTRAINT list_contacts_list_id_fkey FOREIGN KEY (list_id) REFERENCES contact_lists(id) ON DELETE CASCADE
);
CREATE INDEX list_contacts_in_order ON list_contacts USING btree (list_id, id);
CREATE UNIQUE INDEX list_contacts_of_external_id ON list_contacts USING btree (list_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX list_contacts_of_name ON list_contacts USING btree (organization_id, folded_name);
CREATE INDEX list_contacts_of_number ON list_contacts USING btree (organization_id, phone_number);
CREATE UNIQUE INDEX list_contacts_without_external_id ON list_contacts USING btree (list_id, phone_number) WHERE external_id IS NULL;

-- The total of a list is the sum of its slots. A slot can be negative, because a transaction may subtract from another slot than the one that was added to. The fill factor leaves room for new versions of a row on the same page.
CREATE TABLE list_totals (
  organization_id uuid NOT NULL,
  list text NOT NULL,
  -- Part of the list that a filter can select; empty if the list has no parts.
  part text NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  total bigint NOT NULL,
  CONSTRAINT list_totals_pkey PRIMARY KEY (organization_id, list, part, slot),
  CONSTRAINT list_totals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

-- Addresses that an organization may send reports to, once confirmed. Unconfirmed ones are removed after 30 days.
CREATE TABLE mail_addresses (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  -- In lower case.
  address text NOT NULL,
  -- When the last request to confirm was written; null if an operator confirmed the address.
  requested_at timestamptz,
  -- Null until its owner or an operator has confirmed it.
  confirmed_at timestamptz,
  CONSTRAINT mail_addresses_pkey PRIMARY KEY (id),
  CONSTRAINT mail_addresses_organization_id_address_key UNIQUE (organization_id, address),
  CONSTRAINT mail_addresses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX mail_addresses_requested ON mail_addresses USING btree (organization_id, requested_at);

-- Organizations. Granting lines locks the row of the organization.
CREATE TABLE organizations (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  -- Maximum number of lines (live calls) over all campaigns, dispatches and callers.
  max_concurrency integer DEFAULT 10 NOT NULL,
  -- Lines that inbound calls may use; null for four fifths of max_concurrency, 0 for none (caller_lines_of).
  caller_lines integer,
  -- Rate limit of requests that dispatch a call; null for the configured limit, 0 for no limit.
  dispatch_per_minute integer,
  -- Rate limit of all other requests; null for the configured limit, 0 for no limit.
  other_per_minute integer,
  -- Spend limit in credits per UTC day; null for the configured limit, 0 for no limit.
  spend_per_day numeric(14,4),
  -- Spend limit of each campaign in credits per UTC day; null for the configured limit, 0 for no limit.
  campaign_spend_per_day numeric(14,4),
  -- Share of dials failed by the carrier that opens the circuit breaker; null for the configured one, 0 for none.
  breaker_failure_rate numeric(4,3),
  -- Kinds of calls that continue after spend_per_day is reached (is_past_spend).
  spend_exempt text[] DEFAULT '{}'::text[] NOT NULL,
  -- The latest dials, oldest first: 1 if the carrier failed, 0 if it did not.
  recent_dials text DEFAULT ''::text NOT NULL,
  -- Days to keep recordings after the end of a call; null keeps them forever.
  recordings_days integer,
  -- Days to keep transcripts after the end of a call; null keeps them forever.
  transcripts_days integer,
  -- Days to keep contacts after the end of a campaign; null keeps them forever.
  contacts_days integer,
  -- Quotas of the organization by name, 0 for no limit. The configured quotas apply to the others.
  quotas jsonb DEFAULT '{}'::jsonb NOT NULL,
  -- Rule profile for all campaigns and callbacks, as in campaigns.rule_profile; null for none.
  rule_profile text,
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_breaker_failure_rate_check CHECK (breaker_failure_rate >= 0::numeric AND breaker_failure_rate <= 1::numeric),
  CONSTRAINT organizations_caller_lines_check CHECK (caller_lines >= 0),
  CONSTRAINT organizations_campaign_spend_per_day_check CHECK (campaign_spend_per_day >= 0::numeric),
  CONSTRAINT organizations_contacts_days_check CHECK (contacts_days >= 1),
  CONSTRAINT organizations_dispatch_per_minute_check CHECK (dispatch_per_minute >= 0),
  CONSTRAINT organizations_max_concurrency_check CHECK (max_concurrency >= 1),
  CONSTRAINT organizations_other_per_minute_check CHECK (other_per_minute >= 0),
  CONSTRAINT organizations_recordings_days_check CHECK (recordings_days >= 1),
  CONSTRAINT organizations_spend_exempt_check CHECK (spend_exempt <@ ARRAY['callers'::text, 'dispatches'::text]),
  CONSTRAINT organizations_spend_per_day_check CHECK (spend_per_day >= 0::numeric),
  CONSTRAINT organizations_transcripts_days_check CHECK (transcripts_days >= 1)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

-- Unlogged, because every request writes here and nothing needs to reach the disk. A crash of the server empties it, and every rate limit window starts again.
CREATE UNLOGGED TABLE rate_limit_windows (
  -- dispatch or other, and the id of the organization.
  key character varying(255) NOT NULL,
  -- Requests since the start of the window.
  points integer DEFAULT 0 NOT NULL,
  -- End of the window in milliseconds since the epoch.
  expire bigint,
  CONSTRAINT rate_limit_windows_pkey PRIMARY KEY (key)
);

-- Slots for concurrent webhook requests to a receiver. Unlogged, because every attempt writes here; a crash of the server releases all slots.
CREATE UNLOGGED TABLE receiver_slots (
  id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- Organization, scheme, host and port.
  receiver text NOT NULL,
  slot integer NOT NULL,
  taken_until timestamptz NOT NULL,
  CONSTRAINT receiver_slots_pkey PRIMARY KEY (id),
  CONSTRAINT receiver_slots_receiver_slot_key UNIQUE (receiver, slot)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

-- Recordings of calls. A table of its own keeps rows of calls small, because most calls have no recording.
CREATE TABLE recordings (
  call_id text NOT NULL,
  -- Key of the file in the storage.
  storage_key text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  stored_at timestamptz NOT NULL,
  CONSTRAINT recordings_pkey PRIMARY KEY (call_id)
);

-- Numbers in E.164 that only one organization may call from and answer. The setting NUMBERS decides whether unregistered numbers can be used.
CREATE TABLE registered_numbers (
  number text NOT NULL,
  organization_id uuid NOT NULL,
  added_at timestamptz NOT NULL,
  CONSTRAINT registered_numbers_pkey PRIMARY KEY (number),
  CONSTRAINT registered_numbers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX registered_numbers_of_organization ON registered_numbers USING btree (organization_id, number);

-- Calls that retention passed before they were concluded. It processes them once they are.
CREATE TABLE retention_left (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  call_id text NOT NULL,
  CONSTRAINT retention_left_pkey PRIMARY KEY (organization_id, kind, call_id),
  CONSTRAINT retention_left_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(call_id) ON DELETE CASCADE,
  CONSTRAINT retention_left_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT retention_left_kind_check CHECK (kind = ANY (ARRAY['recordings'::text, 'transcripts'::text, 'contacts'::text]))
);

-- Retention has processed the calls of an organization that ended up to this point. It processes each call once, even if the number of days changes later.
CREATE TABLE retention_marks (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  ended_at timestamptz NOT NULL,
  call_id text NOT NULL,
  CONSTRAINT retention_marks_pkey PRIMARY KEY (organization_id, kind),
  CONSTRAINT retention_marks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT retention_marks_kind_check CHECK (kind = ANY (ARRAY['recordings'::text, 'transcripts'::text, 'contacts'::text]))
);

-- Rule profiles that organizations have defined (docs/rules.md).
CREATE TABLE rule_profiles (
  organization_id uuid NOT NULL,
  name text NOT NULL,
  profile jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT rule_profiles_pkey PRIMARY KEY (organization_id, name),
  CONSTRAINT rule_profiles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

-- Secrets that webhooks are signed with.
CREATE TABLE signing_secrets (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  secret_encrypted bytea NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  CONSTRAINT signing_secrets_pkey PRIMARY KEY (id),
  CONSTRAINT signing_secrets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX signing_secrets_of_organization ON signing_secrets USING btree (organization_id);

-- Credits of the calls that ended on a UTC day. The owner is a campaign or an organization.
CREATE TABLE spend (
  owner_id uuid NOT NULL,
  day date NOT NULL,
  credits numeric(14,4) NOT NULL,
  CONSTRAINT spend_pkey PRIMARY KEY (owner_id, day)
);

-- Suspect workflows: they are open but do not do what their row requires. Reconciliation checks them until they do or have ended.
CREATE TABLE suspect_workflows (
  workflow_id text NOT NULL,
  -- When reconciliation first suspected the workflow.
  since timestamptz NOT NULL,
  check_at timestamptz NOT NULL,
  -- Fault that was reported; null while the workflow may only be slow.
  fault text,
  CONSTRAINT suspect_workflows_pkey PRIMARY KEY (workflow_id),
  CONSTRAINT suspect_workflows_fault_check CHECK (fault = ANY (ARRAY['tasks fail'::text, 'does not conclude'::text, 'does not close'::text]))
);

-- When the next call may be placed over a trunk. All workers share the row, so that they keep the pace together.
CREATE TABLE trunks (
  trunk text NOT NULL,
  next_slot_at timestamptz NOT NULL,
  CONSTRAINT trunks_pkey PRIMARY KEY (trunk)
);

-- Attempts, in the partition of their delivery's month, which is dropped together with the deliveries.
CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,
  at timestamptz NOT NULL,
  status_code integer,
  duration_ms integer NOT NULL,
  error text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt)
) PARTITION BY RANGE (delivery_id);

-- Deliveries of an event to a URL, in one partition per month of their ids (keep_partitions). It has no foreign keys, so that creating and dropping a month locks no other table.
CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  campaign_id uuid,
  call_id text,
  event text NOT NULL,
  url text NOT NULL,
  body text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  created_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  -- Number of the last attempt. Early attempts are not kept forever.
  attempts_made integer DEFAULT 0 NOT NULL,
  -- Attempts in earlier rounds. A redelivery starts a new round.
  earlier_attempts integer DEFAULT 0 NOT NULL,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX webhook_deliveries_of_call ON ONLY webhook_deliveries USING btree (call_id) WHERE call_id IS NOT NULL;
CREATE INDEX webhook_deliveries_of_campaign ON ONLY webhook_deliveries USING btree (campaign_id, created_at, id) INCLUDE (organization_id, status) WHERE campaign_id IS NOT NULL;
CREATE INDEX webhook_deliveries_of_organization ON ONLY webhook_deliveries USING btree (organization_id, created_at, id);
CREATE INDEX webhook_deliveries_of_status ON ONLY webhook_deliveries USING btree (organization_id, status, created_at, id);
CREATE INDEX webhook_deliveries_pending ON ONLY webhook_deliveries USING btree (next_attempt_at) WHERE status = 'pending'::text;
CREATE TRIGGER count_deleted AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries();
CREATE TRIGGER count_inserted AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON webhook_deliveries FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries();

-- Functions: each is defined in db/functions/<name>.sql.
--   add_to_list(p_organization uuid, p_list text, p_part text, p_change bigint) returns void, plpgsql
--   admit_contacts(p_organization uuid, p_campaign uuid, p_stored jsonb, p_now timestamptz) returns jsonb, plpgsql
--   apply_progress(p_events jsonb, p_now timestamptz, p_credits_per_minute numeric) returns jsonb, plpgsql
--   archive_calls(p_organization uuid, p_after jsonb, p_before timestamptz, p_limit integer) returns jsonb, plpgsql
--   ask_refill(p_campaign uuid, p_now timestamptz) returns boolean, plpgsql
--   believed_time(p_reported timestamptz, p_from timestamptz, p_now timestamptz) returns timestamptz, sql stable
--   caller_lines_of(c organizations) returns integer, sql immutable
--   claim_page(p_campaign uuid, p_now timestamptz, p_until timestamptz, p_limit integer) returns jsonb, plpgsql
--   conclude_call(p_call text, p_conclusion jsonb, p_most integer, p_now timestamptz) returns TABLE(is_first boolean, delivery webhook_deliveries, slot_id integer, callback jsonb, wake_campaign_id uuid), plpgsql
--   count_agent_bytes() returns trigger, plpgsql
--   count_agents() returns trigger, plpgsql
--   count_campaigns() returns trigger, plpgsql
--   count_contacts() returns trigger, plpgsql
--   count_deliveries() returns trigger, plpgsql
--   count_rows() returns trigger, plpgsql
--   drop_call_month(p_month date) returns void, plpgsql
--   earliest_event(k calls) returns timestamptz, sql stable
--   end_callback(p_of text, p_answered boolean, p_call_status text) returns void, sql
--   end_calls(p_ends jsonb) returns jsonb, plpgsql
--   failure_rate(p_recent text, p_dials integer) returns numeric, sql immutable
--   first_key(p_is_id boolean, p_month timestamp without time zone) returns text, sql stable
--   fold(p_text text) returns text, sql immutable
--   give_up_redials(p_campaign uuid, p_now timestamptz) returns jsonb, plpgsql
--   grant_lines(p_organization uuid, p_now timestamptz) returns text[], plpgsql
--   hang_up(p_call text, p_organization uuid, p_end jsonb, p_now timestamptz) returns jsonb, plpgsql
--   has_contacts_left(p_campaign uuid) returns boolean, plpgsql stable
--   has_too_many_before(k calls, c campaigns) returns boolean, plpgsql stable
--   hold_months(p_alone boolean) returns void, plpgsql
--   inbound_answer(p_carrier_id text) returns jsonb, sql
--   index_contact() returns trigger, plpgsql
--   index_words() returns trigger, plpgsql
--   instant_of_id(p_id uuid) returns timestamptz, sql immutable
--   is_past_spend(p_organization uuid, p_kind text, p_configured numeric, p_now timestamptz) returns boolean, sql stable
--   keep_partitions(p_table text, p_now timestamptz, p_keep_from timestamptz) returns integer, plpgsql
--   make_call_month(p_month date) returns void, plpgsql
--   make_months(p_table text, p_now timestamptz) returns void, plpgsql
--   may_use_number(p_number text, p_organization uuid, p_registered_only boolean) returns boolean, sql stable
--   months_of(p_calls text[]) returns date[], sql immutable
--   next_segment_seq() returns trigger, plpgsql
--   notify_call() returns trigger, plpgsql
--   notify_segments() returns trigger, plpgsql
--   ready_ahead(c campaigns) returns integer, sql stable
--   register_waiting(p_organization uuid, p_calls text[], p_now timestamptz) returns jsonb, plpgsql
--   return_line(p_call text, p_now timestamptz) returns jsonb, plpgsql
--   schedule_callback(p_call text, p_request jsonb, p_now timestamptz) returns jsonb, plpgsql
--   search_calls(p_organization uuid, p_agent uuid, p_campaign uuid, p_status text, p_search text, p_call text, p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer) returns TABLE(total integer, call_ids text[]), plpgsql
--   start_dial(p_call text, p_now timestamptz, p_not_after timestamptz, p_guards jsonb DEFAULT '{}'::jsonb) returns jsonb, plpgsql
--   start_transfer(p_call text, p_transfer jsonb, p_now timestamptz, p_guards jsonb) returns jsonb, plpgsql
--   store_contacts(p_organization uuid, p_campaign uuid, p_contacts jsonb, p_list uuid, p_after bigint, p_limit integer) returns jsonb, plpgsql
--   store_version(p_agent uuid, p_config jsonb, p_status text, p_now timestamptz) returns integer, plpgsql
--   take_inbound(p_event jsonb, p_now timestamptz, p_limits jsonb) returns jsonb, plpgsql
--   take_receiver_slot(p_organization uuid, p_url text, p_now timestamptz, p_until timestamptz, p_most integer) returns integer, plpgsql
--   tripped_breaker(c campaigns, p_limits jsonb, p_now timestamptz) returns jsonb, plpgsql
--   trunk_slot(p_call text, p_slot timestamptz, p_trunk text, p_every_ms numeric, p_now timestamptz) returns numeric, plpgsql
--   use_version() returns trigger, plpgsql
--   withdraw_list_contact(p_organization uuid, p_list_contact bigint, p_now timestamptz) returns jsonb, plpgsql
--   withdraw_rest(p_campaign uuid, p_contact_state text, p_call_status text, p_end_reason text, p_now timestamptz) returns jsonb, plpgsql
--   words_of(p_text text) returns text[], plpgsql immutable
--   write_words(p_calls text[]) returns void, sql
