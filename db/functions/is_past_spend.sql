-- Whether a client has spent its credits of the UTC day, and calls of the kind are not exempt: 'callers' or 'dispatches', which include the
-- callbacks of dispatched and inbound calls. p_configured is the limit of clients that have none of their own; 0 and null are none. brake_of decides for campaigns.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: start_dial, take_inbound, db/calls/dispatched-calls.ts.
create or replace function is_past_spend(p_client uuid, p_kind text, p_configured numeric, p_now timestamptz) returns boolean
language sql stable as $$
  select exists (select from clients c join spend s on s.owner_id = c.id and s.day = (p_now at time zone 'UTC')::date
    where c.id = p_client and s.credits >= nullif(coalesce(c.spend_per_day, p_configured), 0) and p_kind <> all(c.spend_exempt))
$$;
