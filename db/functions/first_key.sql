-- The first key of a month in UTC: its first instant, or the first of the ids that begin with it, as text.
-- Guarantee: instant_of_id is the other way round.
-- Locks: none.
-- Callers: make_months.
create or replace function first_key(p_is_id boolean, p_month timestamp) returns text language sql stable as $$
  select case when p_is_id
    then (lpad(to_hex((extract(epoch from p_month at time zone 'UTC') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid::text
    else (p_month at time zone 'UTC')::text end
$$;
