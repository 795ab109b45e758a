-- Counts removed calls, once a statement.
-- Guarantee: that of add_to_list.
-- Locks: those of add_to_list.
-- Callers: trigger count_deleted on calls.
create or replace function count_deleted_calls() returns trigger language plpgsql as $$
begin
  perform add_to_list(client_id, 'calls', part, -n) from (select client_id, part, count(*) as n from (select r.client_id, '' as part from deleted r) counted
    where part is not null group by client_id, part) counts;
  return null;
end $$;

create trigger count_deleted after delete on calls referencing old table as deleted
  for each statement execute function count_deleted_calls();
