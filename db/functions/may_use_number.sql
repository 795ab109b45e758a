-- Returns whether an organization may call from a number or answer calls to it. A registered number can be used by its
-- owner only; with p_registered_only an unregistered one can't be used at all. Queries in db/agents/numbers.ts and
-- db/calls/inbound-routes.ts use it too.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: take_inbound.
create or replace function may_use_number(p_number text, p_organization uuid, p_registered_only boolean) returns boolean language sql stable as $$
  select coalesce((select organization_id = p_organization from registered_numbers where number = p_number), not p_registered_only)
$$;
