-- Marks the version of the agent that a new call runs with as used, so that store_version keeps it.
-- Guarantee: a call never is without its configuration. One whose version was removed since it was read is refused, as by a foreign key.
-- That key itself would take an index on the calls for each removal, which costs a call no less and 140 bytes of log more, and would fail
-- the change that removes a version where a first call takes it at the same time.
-- Locks: the version, by its first calls only; later ones read one row by its primary key.
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
