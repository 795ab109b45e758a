-- Keeps calls from moving between months until the transaction ends. Transactions share this hold, except for a
-- transaction that moves calls, which takes it exclusively.
-- Guarantee: rows don't move while a transaction erases calls, which would fail on a moved row.
-- Locks: its own advisory lock, which no dial takes.
-- Callers: archive_calls, db/calls/months.ts.
create or replace function hold_months(p_alone boolean) returns void language plpgsql as $$
declare
  key constant bigint := hashtextextended('months of calls', 0);
begin
  if p_alone then perform pg_advisory_xact_lock(key); else perform pg_advisory_xact_lock_shared(key); end if;
end $$;
