-- Keeps calls in the months that they are in until the transaction ends. Transactions share this hold, except for one
-- that moves calls, which holds it alone.
-- Guarantee: a transaction that erases calls finds each row where it first saw it. It would fail on a row that moved
-- meanwhile.
-- Locks: an advisory lock of its own, which no dial takes.
-- Callers: archive_calls, db/calls/months.ts.
create or replace function hold_months(p_alone boolean) returns void language plpgsql as $$
declare
  key constant bigint := hashtextextended('months of calls', 0);
begin
  if p_alone then perform pg_advisory_xact_lock(key); else perform pg_advisory_xact_lock_shared(key); end if;
end $$;
