-- When an id was made that begins with its milliseconds since 1970, as db/kernel/timed-id.ts makes them. Of any other id an instant too, from
-- 1970 on.
-- Guarantee: ids have the order of their instants.
-- Locks: none.
-- Callers: count_deliveries, make_months.
create or replace function instant_of_id(p_id uuid) returns timestamptz language sql immutable as $$
  select to_timestamp(('x' || translate(left(p_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;
