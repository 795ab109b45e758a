-- Creates the monthly partitions (UTC) of a table: this month, the next two, and each past month that has rows in
-- <table>_other. The table is partitioned by an instant or by ids that begin with one (instant_of_id).
-- Guarantee: no row is lost. A row that arrived before its month had a partition is in <table>_other and moves.
-- Locks: a new month locks <table>_other, which isn't written while the months are created in time.
-- Callers: keep_partitions.
create or replace function make_months(p_table text, p_now timestamptz) returns void language plpgsql as $$
declare
  this_month timestamp := date_trunc('month', p_now at time zone 'UTC');
  other text := p_table || '_other';
  key text;
  is_id boolean;
  past timestamp[];
  month timestamp;
  part text;
  begins text;
  ends text;
begin
  select a.attname, a.atttypid = 'uuid'::regtype into key, is_id
    from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = p_table::regclass;
  execute format('select array(select distinct date_trunc(''month'', %s at time zone ''UTC'') from %I where %I < %L)',
    case when is_id then format('instant_of_id(%I)', key) else quote_ident(key) end, other, key, first_key(is_id, this_month)) into past;
  foreach month in array past || array[this_month, this_month + interval '1 month', this_month + interval '2 months'] loop
    part := p_table || '_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    begins := first_key(is_id, month);
    ends := first_key(is_id, month + interval '1 month');
    execute format('lock table %I in access exclusive mode', other);
    -- Attaches the table after creating it, because creating it as a partition would lock the whole table. Vacuums early,
    -- because a month is large and its index-only scans need the visibility map.
    execute format('create table %I (like %I including defaults including constraints including storage)
      with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', part, other);
    execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
      other, key, begins, key, ends, part);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, part, begins, ends);
  end loop;
end $$;
