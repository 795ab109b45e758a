-- Decides whether a call may be transferred, and counts the transfer. p_transfer: {number, fault, credits}. number is
-- null for a SIP address. fault is the reason to refuse the destination itself, if any. credits is what the transfer
-- adds to the day's spend, because its length is never reported. p_guards: those of start_dial, mostOfACall, and
-- mostWaitMs (how far ahead its slot on the trunk can be). Returns {kind: 'allowed', waitMs}, {kind: 'refused', reason}
-- or {kind: 'unknown'}. The first two also have organizationId, agentId and isCounted, which is false above
-- mostOfACall.
-- Guarantee: no transfer of a call that is over, above mostOfACall requests per call, to a listed number, past a spend
-- limit, or ahead of the trunk's pace. An allowed transfer is counted in the same transaction.
-- Locks: organization, campaign, call, then the trunk.
-- Callers: db/calls/transfers.ts.
create or replace function start_transfer(p_call text, p_transfer jsonb, p_now timestamptz, p_guards jsonb) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
  c campaigns%rowtype;
  reason text;
  wait_ms numeric;
begin
  perform 1 from organizations where id = (select organization_id from calls where call_id = p_call) for no key update;
  select * into c from campaigns where id = (select campaign_id from calls where call_id = p_call) for no key update;
  select * into k from calls where call_id = p_call for no key update;
  if not found then return jsonb_build_object('kind', 'unknown'); end if;
  -- Without a campaign, the limits of the organization apply.
  c.organization_id := k.organization_id;
  reason := case
    when k.transfers >= (p_guards->>'maxPerCall')::integer then 'too_many'
    when k.medium <> 'telephony' or k.stage not in ('requested', 'placed') or k.hang_up_requested_at is not null then 'call_over'
    when p_transfer->>'fault' is not null then p_transfer->>'fault'
    when exists (select from dnd_numbers where organization_id = k.organization_id and phone_number = p_transfer->>'number') then 'dnd'
    when tripped_breaker(c, p_guards->'breakers', p_now)->>'kind' in ('campaign_spend', 'organization_spend') then 'spend'
    when (p_guards->>'dialEveryMs')::numeric > 0 and exists (select from trunks where trunk = p_guards->>'trunk'
      and next_slot_at > p_now + make_interval(secs => (p_guards->>'maxWaitMs')::numeric / 1000)) then 'pace' end;
  if reason is null then
    if (p_guards->>'dialEveryMs')::numeric > 0 then
      wait_ms := trunk_slot(p_call, null, p_guards->>'trunk', (p_guards->>'dialEveryMs')::numeric, p_now);
    end if;
    insert into spend as s (owner_id, day, credits)
      select owner, (p_now at time zone 'UTC')::date, (p_transfer->>'credits')::numeric from unnest(array[k.organization_id, k.campaign_id]) owner
        where owner is not null and (p_transfer->>'credits')::numeric > 0
      on conflict (owner_id, day) do update set credits = s.credits + excluded.credits;
  end if;
  update calls set transfers = transfers + 1 where call_id = p_call and transfers < (p_guards->>'maxPerCall')::integer;
  return jsonb_build_object('kind', case when reason is null then 'allowed' else 'refused' end, 'reason', reason,
    'waitMs', coalesce(wait_ms, 0), 'organizationId', k.organization_id, 'agentId', k.agent_id, 'isCounted', found);
end $$;
