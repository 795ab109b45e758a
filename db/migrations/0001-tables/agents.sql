-- Agents, their versions, and the numbers that they answer and call from.

create table agents (
  id uuid primary key,
  organization_id uuid not null references organizations,
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
  unique (organization_id, agent_name)
);
create index agents_of_organization on agents (organization_id, created_at, id) include (published) where not archived;
create index agents_inbound on agents ((deployment #>> '{phone,call_type,Inbound}')) where not archived;
comment on column agents.agent_name is 'Slug of the agent, unique in the organization.';
comment on column agents.version is 'Current version, which new calls use. 0 only inside the transaction that creates the agent.';
comment on column agents.deployment is
  'Deployment section of the current configuration. Lists show it, and reading it here avoids unpacking the whole configuration.';

create table agent_configs (
  id bigint generated always as identity primary key,
  agent_id uuid not null references agents,
  hash bytea not null,
  config jsonb not null,
  bytes integer not null generated always as (octet_length(config::text)) stored,
  unique (agent_id, hash)
);
comment on table agent_configs is 'Configurations of agents. Versions with equal configurations share a row.';
comment on column agent_configs.bytes is 'Counts towards the quota agent_bytes (count_agent_bytes).';
comment on column agent_configs.hash is 'SHA-256 of the configuration as Postgres prints it, which is the same for equal configurations.';

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
  'Versions never change, because a call is evaluated by the configuration that it used. Old versions that no call used are removed (store_version).';
comment on column agent_versions.used is 'A call was created with this version (use_version). Stays true even if that call never happens.';

create table agent_conversations (
  agent_id uuid primary key references agents,
  conversations jsonb not null,
  bytes integer not null generated always as (octet_length(conversations::text)) stored,
  changed_at timestamptz not null
);
comment on table agent_conversations is
  'Test conversations of an agent, replaced as a whole. They apply to every version, and archiving the agent deletes them.';

create table caller_id_rotation (
  agent_id uuid primary key references agents,
  turn bigint not null
);
comment on table caller_id_rotation is 'An agent with several caller IDs uses them in rotation, over all workers.';
comment on column caller_id_rotation.turn is 'Number of calls that took a caller ID. Only agents with several caller IDs have a row.';

create table registered_numbers (
  number text primary key,
  organization_id uuid not null references organizations,
  added_at timestamptz not null
);
create index registered_numbers_of_organization on registered_numbers (organization_id, number);
comment on table registered_numbers is
  'Numbers in E.164 that only one organization may call from and answer. The setting NUMBERS decides whether unregistered numbers can be used.';

create table inbound_routes (
  id uuid primary key,
  number text not null unique,
  organization_id uuid references organizations,
  agent_id uuid unique references agents,
  revision bigint not null default 1,
  registered_revision bigint,
  registered_at timestamptz,
  refusal text,
  check_at timestamptz not null,
  state text not null generated always as (
    case when agent_id is null then 'to be removed' when registered_revision = revision then 'in place' else 'wanted' end) stored
);
create index inbound_routes_by_check on inbound_routes (check_at);
comment on table inbound_routes is
  'Has one row per number, so that the carrier receives changes in order when a number moves from one agent to another.';
comment on column inbound_routes.id is 'Workflows and logs use this id instead of the number.';
comment on column inbound_routes.organization_id is
  'Organization whose agents answer the number. Null when none does: the carrier must remove the route, and then the row is deleted.';
comment on column inbound_routes.revision is 'Number of changes that the carrier must be sent.';
comment on column inbound_routes.registered_revision is 'Last revision that is registered with the carrier.';
comment on column inbound_routes.refusal is 'Reason why the carrier refused the route, without the number; null if it did not.';
comment on column inbound_routes.check_at is 'When reconciliation checks the route.';
