-- Takes the line of a call whose contact may not be dialled now. The contact of a campaign waits until p_until without
-- a call: the call's row is deleted, because it was never dialled, and its attempt is made by another call later. If
-- p_until is null, the contact ends as p_state. A call without a campaign keeps its row and waits for its workflow.
-- p_reason is the rule that refused the dial.
-- Guarantee: uses up no attempt, and the contact isn't claimed before p_until. A repeated run changes nothing.
-- Locks: organization, campaign, call.
-- Callers: db/calls/engine.ts.
create or replace function defer_dial(p_call text, p_until timestamptz, p_state text, p_reason text, p_now timestamptz) returns jsonb
language plpgsql as $$
declare
  k calls%rowtype;
  was_in_progress boolean;
  next_state text := case when p_until is null then p_state else 'pending' end;
begin
  select * into k from calls where call_id = p_call;
  perform 1 from organizations where id = k.organization_id for no key update;
  perform 1 from campaigns where id = k.campaign_id for no key update;
  select * into k from calls where call_id = p_call and stage = 'granted' for no key update;
  if not found then return jsonb_build_object('isDeferred', false, 'refill', false, 'campaignId', null, 'granted', '[]'::jsonb); end if;
  delete from lines where call_id = p_call;
  if k.campaign_id is null then
    update calls set stage = 'claimed', call_status = 'queued', granted_at = null, preparing_until = null, not_before = p_until
      where call_id = p_call;
  else
    if p_until is null and k.callback_of is not null then
      next_state := 'completed';
      perform end_callback(k.callback_of, false, 'cancelled');
    end if;
    select state = 'in_progress' into was_in_progress from contacts where id = k.contact_id;
    update contacts set state = next_state, reason = case when next_state <> 'completed' then p_reason end, call_id = null,
        next_attempt_at = p_until, callback_of = case when next_state = 'pending' then callback_of end
      where id = k.contact_id;
    delete from calls where call_id = p_call;
    update campaigns set in_progress_contacts = in_progress_contacts - was_in_progress::integer,
        completed_contacts = completed_contacts + (next_state = 'completed')::integer,
        failed_contacts = failed_contacts + (next_state not in ('completed', 'pending'))::integer
      where id = k.campaign_id;
  end if;
  return jsonb_build_object('isDeferred', true, 'granted', to_jsonb(grant_lines(k.organization_id, p_now)), 'campaignId', k.campaign_id,
    'refill', k.campaign_id is not null and ask_refill(k.campaign_id, p_now));
end $$;
