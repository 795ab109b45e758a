-- Holds calls in the months that they are in until the transaction ends: together with others who do so, or alone, to move them.
-- Guarantee: whoever erases finds each row where it was when it looked. A row that moves meanwhile would fail it.
-- Locks: an advisory lock of its own, which no dial takes.
-- Callers: settle_calls, db/calls/months.ts.
create or replace function hold_months(p_alone boolean) returns void language plpgsql as $$
declare
  key constant bigint := hashtextextended('months of calls', 0);
begin
  if p_alone then perform pg_advisory_xact_lock(key); else perform pg_advisory_xact_lock_shared(key); end if;
end $$;
