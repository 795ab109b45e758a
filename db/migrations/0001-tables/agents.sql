-- Agents, their versions, and the numbers that they answer and show.

create table agents (
  id uuid primary key,
  client_id uuid not null references clients,
  agent_name text not null,
  display_name text not null,
  status text not null,
  published boolean not null default true,
  published_at timestamptz,
  archived boolean not null default false,
  version integer not null default 0,
  deployment jsonb,
  gsheet_config jsonb,
  created_at timestamptz not null default now(),
  last_edited_at timestamptz not null,
  unique (client_id, agent_name)
);
create index agents_of_client on agents (client_id, created_at, id) include (published) where not archived;
create index agents_inbound on agents ((deployment #>> '{phone,call_type,Inbound}')) where not archived;
comment on column agents.agent_name is 'The slug.';
comment on column agents.version is 'The current one, which new calls run with. 0 only inside the transaction that creates the agent.';
comment on column agents.deployment is
  'Of the current version, the one part of a configuration that lists show; to take it out of the whole would mean to read and unpack that.';

create table agent_configs (
  id bigint generated always as identity primary key,
  agent_id uuid not null references agents,
  hash bytea not null,
  config jsonb not null,
  bytes integer not null generated always as (octet_length(config::text)) stored,
  unique (agent_id, hash)
);
comment on table agent_configs is 'Each configuration of an agent once, however many of its versions have it.';
comment on column agent_configs.bytes is 'Its part of the quota agent_bytes (count_agent_bytes).';
comment on column agent_configs.hash is 'SHA-256 of the text that Postgres makes of the configuration, which is the same for equal ones.';

create table agent_versions (
  agent_id uuid not null references agents,
  version integer not null,
  config_id bigint not null references agent_configs,
  used boolean not null default false,
  created_at timestamptz not null,
  primary key (agent_id, version)
);
create index agent_versions_of_config on agent_versions (config_id);
create index agent_versions_unused on agent_versions (agent_id, version) where not used;
comment on table agent_versions is
  'A version never changes: a call is judged by the configuration that it ran with. Old ones that no call used are removed (store_version).';
comment on column agent_versions.used is 'A call was made with it (use_version). Stays true, also where that call was withdrawn.';

create table agent_conversations (
  agent_id uuid primary key references agents,
  conversations jsonb not null,
  bytes integer not null generated always as (octet_length(conversations::text)) stored,
  changed_at timestamptz not null
);
comment on table agent_conversations is
  'Conversations that are kept to try an agent by, replaced as a whole. Not of a version: they say what any is expected to do. Gone with the archiving.';

create table outbound_turns (
  agent_id uuid primary key references agents,
  turn bigint not null
);
comment on table outbound_turns is 'An agent with several caller IDs shows them in turn, whichever worker dials.';
comment on column outbound_turns.turn is 'How many calls have taken a turn; only of agents with more than one caller ID.';

create table registered_numbers (
  number text primary key,
  client_id uuid not null references clients,
  added_at timestamptz not null
);
create index registered_numbers_of_client on registered_numbers (client_id, number);
comment on table registered_numbers is
  'Numbers in E.164 that only one client may call from and answer. Whether the others are anybody''s, the setting NUMBERS says.';

create table inbound_routes (
  id uuid primary key,
  number text not null unique,
  client_id uuid references clients,
  agent_id uuid unique references agents,
  revision bigint not null default 1,
  registered_revision bigint,
  registered_at timestamptz,
  refusal text,
  look_at timestamptz not null,
  state text not null generated always as (
    case when agent_id is null then 'to be removed' when registered_revision = revision then 'in place' else 'wanted' end) stored
);
create index inbound_routes_by_look on inbound_routes (look_at);
comment on table inbound_routes is
  'One row for each number, so that the carrier learns in order what one agent gives up and another takes.';
comment on column inbound_routes.id is 'What workflows and logs name instead of the number.';
comment on column inbound_routes.client_id is
  'Whose callers they are. Null: nobody''s any more, and the carrier is to forget the number; the row goes once it has.';
comment on column inbound_routes.revision is 'Counts the changes of what the carrier is to know.';
comment on column inbound_routes.registered_revision is 'The last revision that is registered with the carrier.';
comment on column inbound_routes.refusal is 'Why the carrier would not have it, without the number; null where it did not refuse.';
comment on column inbound_routes.look_at is 'When reconciliation is to look at it.';
