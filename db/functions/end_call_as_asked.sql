-- Ends a call as end_call does, except that a contact is not dialled again once a person has hung up on it, and that an intent which came
-- to nothing before a cancel is no attempt.
-- Guarantee: that of end_call.
-- Locks: client first, so that the mark is read as hang_up left it; then as end_call.
-- Callers: db/call-engine.ts, hang_up.
create or replace function end_call_as_asked(p_call text, p_end jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
begin
  perform 1 from clients where id = (select client_id from calls where call_id = p_call) for no key update;
  select * into k from calls where call_id = p_call;
  if k.hang_up_asked_at is not null then p_end := p_end || '{"redial": false}'::jsonb; end if;
  if k.stage = 'granted' and k.asked_at is not null and p_end->>'endReason' = 'cancelled' then
    perform 1 from campaigns where id = k.campaign_id for no key update;
    update calls set asked_at = null where call_id = p_call and stage = 'granted';
  end if;
  return end_call(p_call, p_end, p_now);
end $$;
