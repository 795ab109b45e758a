-- Puts a call that got a line but can't dial now back in the queue, and grants its line to another call.
-- Guarantee: the call keeps its place and doesn't count as dialled. If the campaign doesn't dial now, its workflow is
-- woken, because a campaign that was cancelled or is past its last day had treated the call as live.
-- Locks: organization, then campaign.
-- Callers: db/calls/engine.ts.
create or replace function return_line(p_call text, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
begin
  select * into k from calls where call_id = p_call;
  perform 1 from organizations where id = k.organization_id for no key update;
  perform 1 from campaigns where id = k.campaign_id for no key update;
  update calls set stage = 'waiting', call_status = 'queued', granted_at = null, preparing_until = null where call_id = p_call and stage = 'granted';
  if found then
    delete from lines where call_id = p_call;
    update contacts set state = 'pending' where id = k.contact_id and state = 'in_progress';
    if found then update campaigns set in_progress_contacts = in_progress_contacts - 1 where id = k.campaign_id; end if;
  end if;
  update campaigns set refill_requested_at = p_now where id = k.campaign_id and ended_at is null
    and (status <> 'active' or dialing_until is null or p_now >= dialing_until);
  return jsonb_build_object('refill', found, 'campaignId', k.campaign_id, 'granted', to_jsonb(grant_lines(k.organization_id, p_now)));
end $$;
