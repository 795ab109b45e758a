-- Whether a client may call from a number, or answer its callers: a registered number is its owner's alone; with p_registered_only nobody may
-- use another one. Part of the queries of db/agents/numbers.ts and db/calls/inbound-routes.ts too.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: take_inbound.
create or replace function may_use_number(p_number text, p_client uuid, p_registered_only boolean) returns boolean language sql stable as $$
  select coalesce((select client_id = p_client from registered_numbers where number = p_number), not p_registered_only)
$$;
