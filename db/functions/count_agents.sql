-- Maintains the number of agents of each organization that aren't archived, split into published and unpublished.
-- Guarantee: the same as add_to_list. Inserts and deletes are counted once per statement, for any number of rows.
-- Moves between parts are counted per row, because only a row trigger can have a condition that skips unrelated
-- updates.
-- Locks: the same as add_to_list; all slots of the list when the table is truncated.
-- Callers: trigger count_inserted on agents, trigger count_deleted on agents, trigger count_truncated on agents,
-- trigger count_moved on agents.
create or replace function count_agents() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from list_totals where list = 'agents';
  elsif tg_level = 'ROW' then
    perform add_to_list(organization_id, 'agents', part, change) from (values
      (old.organization_id, case when old.archived then null when old.published then 'published' else 'unpublished' end, -1),
      (new.organization_id, case when new.archived then null when new.published then 'published' else 'unpublished' end, 1)) moved (organization_id, part, change)
      where part is not null;
  elsif tg_op = 'INSERT' then
    perform add_to_list(organization_id, 'agents', part, n) from (
      select organization_id, case when r.archived then null when r.published then 'published' else 'unpublished' end as part, count(*) as n
      from inserted r group by 1, 2) counts
      where part is not null;
  else
    perform add_to_list(organization_id, 'agents', part, -n) from (
      select organization_id, case when r.archived then null when r.published then 'published' else 'unpublished' end as part, count(*) as n
      from deleted r group by 1, 2) counts
      where part is not null;
  end if;
  return null;
end $$;

create trigger count_inserted after insert on agents referencing new table as inserted
  for each statement execute function count_agents();
create trigger count_deleted after delete on agents referencing old table as deleted
  for each statement execute function count_agents();
create trigger count_truncated after truncate on agents
  for each statement execute function count_agents();
create trigger count_moved after update of archived, published on agents
  for each row when (old.archived is distinct from new.archived or old.published is distinct from new.published)
  execute function count_agents();
