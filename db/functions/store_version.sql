-- Stores a configuration as the agent's current version and returns its number. Removes versions older than the last 50
-- that no call used.
-- Guarantee: keeps every version that a call used, the current one and the 50 before it, and stores equal
-- configurations once. The cost doesn't grow with the number of versions, because only unused ones are read, of which
-- there are at most 51.
-- Locks: the caller holds the agent's row. Locks the versions that it removes, and skips a version that a first call
-- has locked; the next change removes it if that call fails.
-- Callers: db/agents/agents.ts.
create or replace function store_version(p_agent uuid, p_config jsonb, p_status text, p_now timestamptz) returns integer language plpgsql as $$
declare
  most_before constant integer := 50;
  config_hash constant bytea := sha256(convert_to(p_config::text, 'UTF8'));
  current integer;
  freed bigint[];
begin
  update agents set version = version + 1, deployment = p_config->'deployment', status = p_status, last_edited_at = p_now
    where id = p_agent returning version into current;
  insert into agent_configs (agent_id, hash, config) values (p_agent, config_hash, p_config) on conflict do nothing;
  insert into agent_versions (agent_id, version, config_id, created_at)
    select p_agent, current, id, p_now from agent_configs where agent_id = p_agent and hash = config_hash;
  with unused as (
    select version from agent_versions where agent_id = p_agent and version < current - most_before and not used for update skip locked
  ), removed as (
    delete from agent_versions v using unused where v.agent_id = p_agent and v.version = unused.version returning v.config_id
  )
  select array_agg(config_id) into freed from removed;
  delete from agent_configs f where f.id = any(freed) and not exists (select from agent_versions v where v.config_id = f.id);
  return current;
end $$;
