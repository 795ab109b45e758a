-- Removes the totals of a table that is emptied.
-- Guarantee: the list counts from nothing again.
-- Locks: the slots of the list.
-- Callers: trigger count_truncated on agents.
create or replace function count_truncated_agents() returns trigger language plpgsql as $$
begin
  delete from list_totals where list = 'agents';
  return null;
end $$;

create trigger count_truncated after truncate on agents
  for each statement execute function count_truncated_agents();
