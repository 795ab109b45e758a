-- Drops a month of archived calls and their segments, and subtracts them from the totals of their organizations.
-- Guarantee: totals are exact at any instant. The caller has already deleted the rows of these calls in other tables.
-- Locks: all_calls and all_call_segments for an instant, after waiting for their readers. Callers set lock_timeout,
-- because other statements queue behind it. `calls` isn't locked: a dial waits only on a connection that loads that
-- table's definition for the first time.
-- Callers: db/calls/archive.ts.
create or replace function drop_call_month(p_month date) returns void language plpgsql as $$
declare
  month text := to_char(p_month, 'YYYY_MM');
begin
  lock table only all_calls, only all_call_segments in access exclusive mode;
  execute format('select add_to_list(organization_id, ''calls'', '''', -n) from (select organization_id, count(*) as n from %I group by organization_id) counts',
    'calls_' || month);
  execute format('drop table if exists %I', 'call_segments_' || month);
  execute format('drop table %I', 'calls_' || month);
end $$;
