-- Counts removed agents that are not archived, published or not, once a statement.
-- Guarantee: that of add_to_list.
-- Locks: those of add_to_list.
-- Callers: trigger count_deleted on agents.
create or replace function count_deleted_agents() returns trigger language plpgsql as $$
begin
  perform add_to_list(client_id, 'agents', part, -n) from (select client_id, part, count(*) as n from (select r.client_id, case when r.archived then null when r.published then 'published' else 'unpublished' end as part from deleted r) counted
    where part is not null group by client_id, part) counts;
  return null;
end $$;

create trigger count_deleted after delete on agents referencing old table as deleted
  for each statement execute function count_deleted_agents();
