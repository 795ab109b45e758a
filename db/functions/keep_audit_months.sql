-- Makes the partitions of the audit of this month and the next two, in UTC, and drops those of months that were over at p_keep_from; null
-- keeps all. Returns how many months it dropped.
-- Guarantee: no entry is lost but those of the dropped months. One that came before its month had a partition is in audit_log_other, and moves.
-- Locks: a new month locks audit_log_other, where nothing is written while the months are made in time; a dropped one locks the whole audit
-- for an instant, and waits for its readers and writers before: callers set lock_timeout, as others queue behind it.
-- Callers: db/clients/audit.ts.
create or replace function keep_audit_months(p_now timestamptz, p_keep_from timestamptz) returns integer language plpgsql as $$
declare
  this_month timestamp := date_trunc('month', p_now at time zone 'UTC');
  keep_from timestamptz := date_trunc('month', p_keep_from at time zone 'UTC') at time zone 'UTC';
  month timestamp;
  begins timestamptz;
  ends timestamptz;
  part text;
  dropped integer := 0;
begin
  for month in select generate_series(this_month, this_month + interval '2 months', interval '1 month') loop
    part := 'audit_log_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    begins := month at time zone 'UTC';
    ends := (month + interval '1 month') at time zone 'UTC';
    lock table audit_log_other in access exclusive mode;
    -- Attached once it is made: to create it as a partition would lock the whole audit.
    execute format('create table %I (like audit_log including defaults including constraints)
      with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', part);
    execute format('with moved as (delete from audit_log_other where at >= $1 and at < $2 returning *) insert into %I select * from moved', part)
      using begins, ends;
    execute format('alter table audit_log attach partition %I for values from (%L) to (%L)', part, begins, ends);
  end loop;
  if keep_from is not null then
    for part in
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'audit_log'::regclass and c.relname ~ '^audit_log_\d{4}_\d{2}$'
        and to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC' < keep_from
      order by c.relname
    loop
      execute format('drop table %I', part);
      dropped := dropped + 1;
    end loop;
    delete from audit_log_other where at < keep_from;
  end if;
  return dropped;
end $$;
