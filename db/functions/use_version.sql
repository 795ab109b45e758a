-- Marks the agent version that a new call uses, so that store_version keeps it.
-- Guarantee: a call always has its configuration. A call is rejected if its version was removed since it was read, as a
-- foreign key would do. A real foreign key would need an index on the calls, and would fail a change that removes a
-- version at the moment its first call takes it.
-- Locks: the version, by its first calls only; later calls read one row by its primary key.
-- Callers: trigger use_version on calls.
create or replace function use_version() returns trigger language plpgsql as $$
begin
  perform from agent_versions where agent_id = new.agent_id and version = new.agent_version and used;
  if found then return new; end if;
  update agent_versions set used = true where agent_id = new.agent_id and version = new.agent_version;
  if found then return new; end if;
  raise foreign_key_violation using constraint = 'calls_agent_version', table = 'calls',
    message = format('agent %s has no version %s', new.agent_id, new.agent_version);
end $$;

create trigger use_version before insert on calls for each row execute function use_version();
