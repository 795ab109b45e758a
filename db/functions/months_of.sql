-- The months in which calls of these ids are kept once they are settled: the first days of the months, in UTC, of the seconds that the ids
-- name. Of an id without a second none: such a call stays in `calls`.
-- Guarantee: of the ids alone, so that a look-up of given ids (inMonthsOf in db/calls/months.ts) is planned for `calls` and these months alone.
-- Locks: none.
-- Callers: hang_up, settle_calls.
create or replace function months_of(p_calls text[]) returns date[] language sql immutable as $$
  select coalesce(array_agg(distinct date_trunc('month', to_timestamp(second::bigint) at time zone 'UTC')::date) filter (where second is not null), '{}')
  from unnest(p_calls) call_id, substring(call_id from '^(?:outbound-|inbound-|room_)(\d{10})-') second
$$;
