-- Counts removed campaigns, by status, once a statement.
-- Guarantee: that of add_to_list.
-- Locks: those of add_to_list.
-- Callers: trigger count_deleted on campaigns.
create or replace function count_deleted_campaigns() returns trigger language plpgsql as $$
begin
  perform add_to_list(client_id, 'campaigns', part, -n) from (select client_id, part, count(*) as n from (select r.client_id, r.status as part from deleted r) counted
    where part is not null group by client_id, part) counts;
  return null;
end $$;

create trigger count_deleted after delete on campaigns referencing old table as deleted
  for each statement execute function count_deleted_campaigns();
