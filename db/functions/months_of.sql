-- Returns the months in which calls with these ids are archived, each as its first day in UTC. Derives a month from the
-- seconds in the id, and ignores ids without seconds, because those calls stay in `calls`.
-- Guarantee: depends on the ids alone, so a look-up by id (inMonthsOf in db/calls/months.ts) is planned for `calls` and
-- these months only.
-- Locks: none.
-- Callers: hang_up, archive_calls.
create or replace function months_of(p_calls text[]) returns date[] language sql immutable as $$
  select coalesce(array_agg(distinct date_trunc('month', to_timestamp(second::bigint) at time zone 'UTC')::date) filter (where second is not null), '{}')
  from unnest(p_calls) call_id, substring(call_id from '^(?:outbound-|inbound-|room_)(\d{10})-') second
$$;
