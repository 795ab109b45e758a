-- Puts calls whose workflows run in the queue for a line, and grants lines.
-- Guarantee: a call whose workflow has not started is never granted a line. Run again it changes nothing.
-- Locks: client.
-- Callers: db/calls/engine.ts.
create or replace function register_waiting(p_client uuid, p_calls text[], p_now timestamptz) returns jsonb language plpgsql as $$
begin
  perform 1 from clients where id = p_client for no key update;
  -- As in grant_lines.
  update calls set stage = 'waiting', waiting_since = p_now where call_id = any(p_calls) and stage || '' = 'claimed';
  return jsonb_build_object('granted', to_jsonb(grant_lines(p_client, p_now)));
end $$;
