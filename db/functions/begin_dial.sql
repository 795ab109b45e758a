-- The stage of a call before the carrier is asked, and the written intent to ask it. From here until not_after the carrier may have the
-- request, so that a pause waits for it, and a later run looks the call up instead of asking again.
-- Guarantee: the intent is written once for each line, within the dialling time of an active campaign only.
-- Locks: campaign, then call.
-- Callers: start_dial.
create or replace function begin_dial(p_call text, p_now timestamptz, p_not_after timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
  c campaigns%rowtype;
begin
  select * into c from campaigns where id = (select campaign_id from calls where call_id = p_call) for no key update;
  select * into k from calls where call_id = p_call for no key update;
  if not found then return jsonb_build_object('kind', 'unknown'); end if;
  if k.stage = 'over' then return jsonb_build_object('kind', 'over', 'callStatus', k.call_status); end if;
  if k.stage = 'placed' then return jsonb_build_object('kind', 'placed', 'carrierId', k.carrier_id); end if;
  if k.stage = 'asking' then return jsonb_build_object('kind', 'asked', 'notAfter', k.not_after, 'askedAt', k.asked_at); end if;
  if k.stage <> 'granted' then return jsonb_build_object('kind', 'waiting'); end if;
  if k.campaign_id is not null and (c.status <> 'active' or c.dialing_until is null or p_now >= c.dialing_until) then
    return jsonb_build_object('kind', 'refused');
  end if;
  update calls set stage = 'asking', call_status = 'dialing', asked_at = p_now, not_after = p_not_after where call_id = p_call;
  if k.campaign_id is not null then
    update contacts set state = 'in_progress' where id = k.contact_id and state = 'pending';
    if found then update campaigns set in_progress_contacts = in_progress_contacts + 1 where id = c.id; end if;
  end if;
  return (select jsonb_build_object('kind', 'ask', 'to', k.to_number, 'from', k.from_number, 'name', k.name, 'attempt', coalesce(k.attempt, 1),
      'variables', k.metadata, 'modifyAgent', k.modify_agent, 'medium', k.medium, 'agentName', a.display_name, 'config', v.config)
    from agents a join agent_versions v on v.agent_id = a.id and v.version = k.agent_version where a.id = k.agent_id);
end $$;
