-- Maintains the total bytes of the configurations and stored conversations of each organization's agents, including old
-- versions and archived agents.
-- Guarantee: the same as add_to_list. Counts once per statement, for any number of rows.
-- Locks: the same as add_to_list.
-- Callers: trigger count_inserted on agent_configs, trigger count_updated on agent_configs, trigger count_deleted on
-- agent_configs, trigger count_inserted on agent_conversations, trigger count_updated on agent_conversations, trigger
-- count_deleted on agent_conversations.
create or replace function count_agent_bytes() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    perform add_to_list(organization_id, 'agent_bytes', '', n) from (
      select organization_id, sum(bytes)::bigint as n from inserted r join agents a on a.id = r.agent_id group by organization_id) counts;
  end if;
  if tg_op <> 'INSERT' then
    perform add_to_list(organization_id, 'agent_bytes', '', -n) from (
      select organization_id, sum(bytes)::bigint as n from deleted r join agents a on a.id = r.agent_id group by organization_id) counts;
  end if;
  return null;
end $$;

create trigger count_inserted after insert on agent_configs referencing new table as inserted
  for each statement execute function count_agent_bytes();
create trigger count_updated after update on agent_configs referencing old table as deleted new table as inserted
  for each statement execute function count_agent_bytes();
create trigger count_deleted after delete on agent_configs referencing old table as deleted
  for each statement execute function count_agent_bytes();
create trigger count_inserted after insert on agent_conversations referencing new table as inserted
  for each statement execute function count_agent_bytes();
create trigger count_updated after update on agent_conversations referencing old table as deleted new table as inserted
  for each statement execute function count_agent_bytes();
create trigger count_deleted after delete on agent_conversations referencing old table as deleted
  for each statement execute function count_agent_bytes();
