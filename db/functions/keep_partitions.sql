-- Creates the monthly partitions of a table and drops those that ended before p_keep_from; null keeps all. Returns how
-- many it dropped. The attempts of webhook deliveries are created and dropped with the deliveries.
-- Guarantee: only dropped months lose rows, and a month with a pending delivery stays. The totals of a dropped month
-- are removed in the same transaction.
-- Locks: those of make_months. Dropping a month locks its whole table for an instant, after waiting for its readers and
-- writers. Callers set lock_timeout, because other statements queue behind it.
-- Callers: db/kernel/partitions.ts.
create or replace function keep_partitions(p_table text, p_now timestamptz, p_keep_from timestamptz) returns integer language plpgsql as $$
declare
  -- Same lock order as recording an attempt.
  tables text[] := case p_table when 'webhook_deliveries' then array['webhook_attempts', p_table] else array[p_table] end;
  name text;
  month text;
  is_pending boolean := false;
  dropped integer := 0;
begin
  foreach name in array tables loop
    perform make_months(name, p_now);
  end loop;
  for month in
    select right(c.relname, 7) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = p_table::regclass and c.relname ~ '_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') < date_trunc('month', p_keep_from at time zone 'UTC')
    order by 1
  loop
    -- Checks without the lock first, so that a month that is kept doesn't block other statements.
    for attempt in 1..2 loop
      if attempt = 2 then
        foreach name in array tables loop
          execute format('lock table only %I in access exclusive mode', name);
        end loop;
      end if;
      if p_table = 'webhook_deliveries' then
        execute format('select exists (select from %I where status = ''pending'')', p_table || '_' || month) into is_pending;
      end if;
      exit when is_pending;
    end loop;
    continue when is_pending;
    delete from list_totals where list = p_table and part = month;
    foreach name in array tables loop
      execute format('drop table if exists %I', name || '_' || month);
    end loop;
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
