-- Returns the time that another system reported for an event, or p_now if that time is impossible. The event happened
-- after p_from and before p_now. Clocks may differ by 5 s. A small offset isn't corrected, so that it shifts
-- the answer and the end equally. Null stays null.
-- Same rule: domain/event-time.ts.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: apply_progress, end_calls, take_inbound, db/calls/events.ts.
create or replace function believed_time(p_reported timestamptz, p_from timestamptz, p_now timestamptz) returns timestamptz language sql stable as $$
  select case when p_reported < p_from - interval '5 seconds' or p_reported > p_now + interval '5 seconds' then p_now else p_reported end
$$;
