-- Hangs up a call at the request of a person. A call that the carrier wasn't asked to dial ends immediately, with p_end.
-- Any other live call is marked, and its workflow hangs it up.
-- Guarantee: a call of another organization is unknown. The first request counts; a repeated one changes nothing.
-- Locks: organization, campaign, call.
-- Callers: db/calls/hang-up.ts.
create or replace function hang_up(p_call text, p_organization uuid, p_end jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
begin
  perform 1 from organizations where id = p_organization for no key update;
  perform 1 from campaigns where id = (select campaign_id from calls where call_id = p_call and organization_id = p_organization) for no key update;
  select * into k from calls where call_id = p_call and organization_id = p_organization for no key update;
  if not found then
    -- Archived calls are over.
    return coalesce((select jsonb_build_object('kind', 'over', 'callStatus', call_status) from all_calls
      where call_id = p_call and month = any(months_of(array[p_call])) and organization_id = p_organization), jsonb_build_object('kind', 'unknown'));
  end if;
  if k.stage = 'over' then return jsonb_build_object('kind', 'over', 'callStatus', k.call_status); end if;
  if k.stage in ('requested', 'placed') then
    update calls set hang_up_requested_at = coalesce(hang_up_requested_at, p_now) where call_id = p_call;
    return jsonb_build_object('kind', 'requested', 'callStatus', k.call_status, 'first', k.hang_up_requested_at is null,
      'isDialling', k.stage = 'requested');
  end if;
  return end_calls(jsonb_build_array(jsonb_build_object('callId', p_call, 'now', p_now, 'end', p_end)))
    || jsonb_build_object('kind', 'ended');
end $$;
