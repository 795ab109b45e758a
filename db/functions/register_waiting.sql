-- Queues calls whose workflows run for a line, and grants lines.
-- Guarantee: a call whose workflow hasn't started never gets a line. A repeated run changes nothing.
-- Locks: organization.
-- Callers: db/calls/engine.ts.
create or replace function register_waiting(p_organization uuid, p_calls text[], p_now timestamptz) returns jsonb language plpgsql as $$
begin
  perform 1 from organizations where id = p_organization for no key update;
  -- The stage is an expression for the same reason as in grant_lines.
  update calls set stage = 'waiting', waiting_since = p_now where call_id = any(p_calls) and stage || '' = 'claimed';
  return jsonb_build_object('granted', to_jsonb(grant_lines(p_organization, p_now)));
end $$;
