-- Returns the earliest possible time of an event of the call, for believed_time. An inbound call's events start at its
-- first ring, which can precede its acceptance.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: apply_progress, end_calls.
create or replace function earliest_event(k calls) returns timestamptz language sql stable as $$
  select case when k.direction = 'Incoming' then least(k.accepted_at, k.ringing_at) else coalesce(k.requested_at, k.accepted_at) end
$$;
