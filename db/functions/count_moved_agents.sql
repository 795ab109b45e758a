-- Counts agents that are not archived, published or not, that go from one part to another. By row, as only row triggers can be passed over
-- by a condition: such a row is updated often, and nearly never in a counted column.
-- Guarantee: that of add_to_list.
-- Locks: those of add_to_list.
-- Callers: trigger count_moved on agents.
create or replace function count_moved_agents() returns trigger language plpgsql as $$
begin
  perform add_to_list(client_id, 'agents', part, change) from (values
    (old.client_id, case when old.archived then null when old.published then 'published' else 'unpublished' end, -1), (new.client_id, case when new.archived then null when new.published then 'published' else 'unpublished' end, 1)) moved (client_id, part, change)
    where part is not null;
  return null;
end $$;

create trigger count_moved after update of archived, published on agents
  for each row when (old.archived is distinct from new.archived or old.published is distinct from new.published) execute function count_moved_agents();
