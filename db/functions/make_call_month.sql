-- Creates the partitions of a month for archived calls and their segments if they are missing.
-- Guarantee: attaches them after creating them, so statements that read or write calls don't wait.
-- Locks: all_calls and all_call_segments, against other transactions that create a month.
-- Callers: archive_calls.
create or replace function make_call_month(p_month date) returns void language plpgsql as $$
declare
  name text;
  part text;
begin
  foreach name in array array['calls', 'call_segments'] loop
    part := name || '_' || to_char(p_month, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    execute format('create table %I (like %I including defaults including constraints including generated including storage)
      with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)',
      part, 'all_' || name);
    if name = 'calls' then
      execute format('alter table %I add primary key (call_id), add unique (contact_id, attempt)', part);
    else
      execute format('alter table %I add primary key (call_id, start_ms, speaker)', part);
    end if;
    execute format('alter table %I attach partition %I for values in (%L)', 'all_' || name, part, p_month);
  end loop;
end $$;
