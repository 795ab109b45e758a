-- Drops a month of settled calls with what was said in them, and takes them off the totals of their clients.
-- Guarantee: totals are exact at any instant. What other tables keep of these calls was deleted before.
-- Locks: all_calls and all_call_segments for an instant, after it has waited for their readers: callers set lock_timeout, as others queue
-- behind it. Not `calls`: of those who dial only a connection that reads that table's definition for the first time waits.
-- Callers: db/clients/past-months.ts.
create or replace function drop_call_month(p_month date) returns void language plpgsql as $$
declare
  month text := to_char(p_month, 'YYYY_MM');
begin
  lock table only all_calls, only all_call_segments in access exclusive mode;
  execute format('select add_to_list(client_id, ''calls'', '''', -n) from (select client_id, count(*) as n from %I group by client_id) counts',
    'calls_' || month);
  execute format('drop table if exists %I', 'call_segments_' || month);
  execute format('drop table %I', 'calls_' || month);
end $$;
