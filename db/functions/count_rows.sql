-- Maintains the number of rows of each organization in a table. The list has the table's name and no parts.
-- Guarantee: the same as add_to_list. Inserts and deletes are counted once per statement, for any number of rows.
-- Locks: the same as add_to_list; all slots of the list when the table is truncated.
-- Callers: trigger count_inserted on calls, trigger count_deleted on calls, trigger count_truncated on calls, trigger
-- count_inserted on dnd_numbers, trigger count_deleted on dnd_numbers, trigger count_truncated on dnd_numbers.
create or replace function count_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from list_totals where list = tg_table_name;
  elsif tg_op = 'INSERT' then
    perform add_to_list(organization_id, tg_table_name, '', n) from (select organization_id, count(*) as n from inserted group by organization_id) counts;
  else
    perform add_to_list(organization_id, tg_table_name, '', -n) from (select organization_id, count(*) as n from deleted group by organization_id) counts;
  end if;
  return null;
end $$;

create trigger count_inserted after insert on calls referencing new table as inserted
  for each statement execute function count_rows();
create trigger count_deleted after delete on calls referencing old table as deleted
  for each statement execute function count_rows();
create trigger count_truncated after truncate on calls
  for each statement execute function count_rows();
create trigger count_inserted after insert on dnd_numbers referencing new table as inserted
  for each statement execute function count_rows();
create trigger count_deleted after delete on dnd_numbers referencing old table as deleted
  for each statement execute function count_rows();
create trigger count_truncated after truncate on dnd_numbers
  for each statement execute function count_rows();
