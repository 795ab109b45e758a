-- Maintains the number of webhook deliveries of each organization, in one part per month of their ids (UTC).
-- keep_partitions drops a month together with its part.
-- Guarantee: the same as add_to_list. Inserts and deletes are counted once per statement, for any number of rows. A
-- row that moves to another partition isn't counted again.
-- Locks: the same as add_to_list; all slots of the list when the table is truncated.
-- Callers: trigger count_inserted on webhook_deliveries, trigger count_deleted on webhook_deliveries, trigger
-- count_truncated on webhook_deliveries.
create or replace function count_deliveries() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from list_totals where list = 'webhook_deliveries';
  elsif tg_op = 'INSERT' then
    perform add_to_list(organization_id, 'webhook_deliveries', month, n)
      from (select organization_id, to_char(instant_of_id(id) at time zone 'UTC', 'YYYY_MM') as month, count(*) as n from inserted group by 1, 2) counts;
  else
    perform add_to_list(organization_id, 'webhook_deliveries', month, -n)
      from (select organization_id, to_char(instant_of_id(id) at time zone 'UTC', 'YYYY_MM') as month, count(*) as n from deleted group by 1, 2) counts;
  end if;
  return null;
end $$;

create trigger count_inserted after insert on webhook_deliveries referencing new table as inserted
  for each statement execute function count_deliveries();
create trigger count_deleted after delete on webhook_deliveries referencing old table as deleted
  for each statement execute function count_deliveries();
create trigger count_truncated after truncate on webhook_deliveries
  for each statement execute function count_deliveries();
