-- Returns the first partition key of a month in UTC, as text: its first instant, or the lowest id of that instant.
-- Guarantee: the inverse of instant_of_id.
-- Locks: none.
-- Callers: make_months.
create or replace function first_key(p_is_id boolean, p_month timestamp) returns text language sql stable as $$
  select case when p_is_id
    then (lpad(to_hex((extract(epoch from p_month at time zone 'UTC') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid::text
    else (p_month at time zone 'UTC')::text end
$$;
