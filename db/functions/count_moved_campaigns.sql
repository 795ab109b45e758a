-- Counts campaigns, by status, that go from one part to another. By row, as only row triggers can be passed over by a condition: such a row
-- is updated often, and nearly never in a counted column.
-- Guarantee: that of add_to_list.
-- Locks: those of add_to_list.
-- Callers: trigger count_moved on campaigns.
create or replace function count_moved_campaigns() returns trigger language plpgsql as $$
begin
  perform add_to_list(client_id, 'campaigns', part, change) from (values
    (old.client_id, old.status, -1), (new.client_id, new.status, 1)) moved (client_id, part, change)
    where part is not null;
  return null;
end $$;

create trigger count_moved after update of status on campaigns
  for each row when (old.status is distinct from new.status) execute function count_moved_campaigns();
