-- Maintains the number of campaigns of each organization, by status.
-- Guarantee: the same as add_to_list. Inserts and deletes are counted once per statement, for any number of rows.
-- Moves between parts are counted per row, because only a row trigger can have a condition that skips unrelated
-- updates.
-- Locks: the same as add_to_list; all slots of the list when the table is truncated.
-- Callers: trigger count_inserted on campaigns, trigger count_deleted on campaigns, trigger count_truncated on
-- campaigns, trigger count_moved on campaigns.
create or replace function count_campaigns() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from list_totals where list = 'campaigns';
  elsif tg_level = 'ROW' then
    perform add_to_list(organization_id, 'campaigns', part, change) from (values
      (old.organization_id, old.status, -1),
      (new.organization_id, new.status, 1)) moved (organization_id, part, change)
      where part is not null;
  elsif tg_op = 'INSERT' then
    perform add_to_list(organization_id, 'campaigns', part, n) from (
      select organization_id, r.status as part, count(*) as n
      from inserted r group by 1, 2) counts
      where part is not null;
  else
    perform add_to_list(organization_id, 'campaigns', part, -n) from (
      select organization_id, r.status as part, count(*) as n
      from deleted r group by 1, 2) counts
      where part is not null;
  end if;
  return null;
end $$;

create trigger count_inserted after insert on campaigns referencing new table as inserted
  for each statement execute function count_campaigns();
create trigger count_deleted after delete on campaigns referencing old table as deleted
  for each statement execute function count_campaigns();
create trigger count_truncated after truncate on campaigns
  for each statement execute function count_campaigns();
create trigger count_moved after update of status on campaigns
  for each row when (old.status is distinct from new.status)
  execute function count_campaigns();
