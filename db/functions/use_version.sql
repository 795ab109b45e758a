-- Marks the version of the agent that a new call runs with as used, so that store_version keeps it.
-- Guarantee: a call never is without its configuration. One whose version was removed since it was read is refused, as by a foreign key.
-- Locks: the version, by its first calls only; later ones read one row by its primary key.
-- Callers: trigger use_version on calls.
create or replace function use_version() returns trigger language plpgsql as $$
declare
  agent uuid;
  wanted integer;
begin
  for agent, wanted in select distinct agent_id, agent_version from inserted loop
    perform from agent_versions where agent_id = agent and version = wanted and used;
    if found then continue; end if;
    update agent_versions set used = true where agent_id = agent and version = wanted;
    if not found then
      raise foreign_key_violation using constraint = 'calls_agent_version', table = 'calls',
        message = format('agent %s has no version %s', agent, wanted);
    end if;
  end loop;
  return null;
end $$;

create trigger use_version after insert on calls referencing new table as inserted
  for each statement execute function use_version();
