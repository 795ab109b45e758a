-- Returns whether an organization has used up its credits for the UTC day and calls of the kind aren't exempt. The kind
-- is 'callers' or 'dispatches'; the latter includes callbacks of dispatched and inbound calls. p_configured is the
-- limit of organizations without their own; 0 and null mean no limit. For campaigns, tripped_breaker decides instead.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: start_dial, take_inbound, db/calls/dispatched-calls.ts.
create or replace function is_past_spend(p_organization uuid, p_kind text, p_configured numeric, p_now timestamptz) returns boolean
language sql stable as $$
  select exists (select from organizations c join spend s on s.owner_id = c.id and s.day = (p_now at time zone 'UTC')::date
    where c.id = p_organization and s.credits >= nullif(coalesce(c.spend_per_day, p_configured), 0) and p_kind <> all(c.spend_exempt))
$$;
