-- Counts new campaigns, by status: once a statement, however many rows it has, so that a page costs what one row does.
-- Guarantee: that of add_to_list.
-- Locks: those of add_to_list.
-- Callers: trigger count_inserted on campaigns.
create or replace function count_inserted_campaigns() returns trigger language plpgsql as $$
begin
  perform add_to_list(client_id, 'campaigns', part, n) from (select client_id, part, count(*) as n from (select r.client_id, r.status as part from inserted r) counted
    where part is not null group by client_id, part) counts;
  return null;
end $$;

create trigger count_inserted after insert on campaigns referencing new table as inserted
  for each statement execute function count_inserted_campaigns();
