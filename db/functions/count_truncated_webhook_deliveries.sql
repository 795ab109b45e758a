-- Removes the totals of a table that is emptied.
-- Guarantee: the list counts from nothing again.
-- Locks: the slots of the list.
-- Callers: trigger count_truncated on webhook_deliveries.
create or replace function count_truncated_webhook_deliveries() returns trigger language plpgsql as $$
begin
  delete from list_totals where list = 'webhook_deliveries';
  return null;
end $$;

create trigger count_truncated after truncate on webhook_deliveries
  for each statement execute function count_truncated_webhook_deliveries();
