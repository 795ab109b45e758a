-- Returns the share of failures among the last p_dials of p_recent (1: the carrier failed, 0: it didn't), or null if
-- there were fewer dials.
-- Guarantee: pure.
-- Locks: none.
-- Callers: tripped_breaker.
create or replace function failure_rate(p_recent text, p_dials integer) returns numeric language sql immutable as $$
  select round(length(replace(right(p_recent, p_dials), '0', ''))::numeric / p_dials, 3) where length(p_recent) >= p_dials
$$;
