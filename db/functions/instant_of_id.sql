-- Returns the timestamp encoded at the start of a time-ordered id (db/kernel/timed-id.ts). For any other id the result is
-- arbitrary, but after 1970.
-- Guarantee: ids sort by their instants.
-- Locks: none.
-- Callers: count_deliveries, make_months.
create or replace function instant_of_id(p_id uuid) returns timestamptz language sql immutable as $$
  select to_timestamp(('x' || translate(left(p_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;
