-- Makes the last checks before the carrier is asked to dial, cheapest first, and writes the intent. The carrier may
-- have the request from the intent until not_after, so a pause waits for it, and a later run looks the call up instead
-- of dialling again. p_guards: {trunk, dialEveryMs, breakers, registryNotBefore, registryCleared, pendingDialMs: how
-- long the carrier can still place the call without having reported it, deadlineMs: when the longest call ends,
-- agentMissing: no agent is ready, so nothing may be dialled, hasOperatorProfile, rulesForDispatches, numberHashes,
-- decided: {version, attempts, from, until}, the interval in which the rules allow the dial}. An absent guard is skipped. A browser session
-- has no number and uses no trunk, so do-not-disturb lists and the trunk's pace don't apply to it.
-- Plans each statement once per connection.
-- Guarantee: one intent per granted line. No dial after a pause, cancel or hang-up, outside the window, above the
-- number of lines, past a spend limit or an open circuit breaker, to a listed number, or ahead of the trunk's pace. The
-- rules were decided for the rules and attempts that stand now; if not, the caller decides again (`askRules`).
-- Locks: campaign, then call, before it reads either, because the late answer to an earlier request may return the line
-- before this transaction has both locks.
-- Callers: db/calls/engine.ts.
create or replace function start_dial(p_call text, p_now timestamptz, p_not_after timestamptz, p_guards jsonb default '{}') returns jsonb
language plpgsql set plan_cache_mode to force_generic_plan as $$
declare
  k calls%rowtype;
  c campaigns%rowtype;
  breaker jsonb;
  listed boolean;
  wait_ms numeric;
  rules jsonb;
  attempts timestamptz[];
  decided jsonb := p_guards->'decided';
begin
  select * into c from campaigns where id = (select campaign_id from calls where call_id = p_call) for no key update;
  select * into k from calls where call_id = p_call for no key update;
  if not found then return jsonb_build_object('kind', 'unknown'); end if;
  if k.stage = 'over' then return jsonb_build_object('kind', 'over', 'callStatus', k.call_status); end if;
  if k.stage = 'placed' then return jsonb_build_object('kind', 'placed', 'deadlineAt', k.deadline_at); end if;
  if k.stage = 'requested' then return jsonb_build_object('kind', 'requested', 'notAfter', k.not_after, 'requestedAt', k.requested_at); end if;
  if k.stage = 'claimed' and k.not_before > p_now then return jsonb_build_object('kind', 'notYet', 'at', k.not_before); end if;
  if k.stage <> 'granted' then return jsonb_build_object('kind', 'waiting'); end if;
  if k.hang_up_requested_at is not null then return jsonb_build_object('kind', 'hungUp'); end if;
  if p_now >= k.dial_until then return jsonb_build_object('kind', 'tooLate'); end if;
  if k.campaign_id is not null and (c.status <> 'active' or c.dialing_until is null or p_now >= c.dialing_until) then
    return jsonb_build_object('kind', 'refused');
  end if;
  if has_too_many_before(k, c) then return jsonb_build_object('kind', 'refused'); end if;
  if k.campaign_id is null and is_past_spend(k.organization_id, 'dispatches', (p_guards->'breakers'->>'organizationSpendPerDay')::numeric, p_now) then
    return jsonb_build_object('kind', 'overspent');
  end if;
  if k.campaign_id is not null then
    breaker := tripped_breaker(c, p_guards->'breakers', p_now);
    if breaker is not null then
      return jsonb_build_object('kind', 'tripped', 'organizationId', c.organization_id, 'campaignId', c.id, 'breaker', breaker);
    end if;
  end if;
  rules := dial_rules(k, c, p_guards);
  if rules is not null then
    attempts := attempts_of(k.organization_id, k.to_number, coalesce(p_guards->'numberHashes', '[]'), p_now);
    if decided is null or decided->>'version' <> md5(rules::text) or (decided->>'attempts')::integer <> cardinality(attempts)
        or p_now < (decided->>'from')::timestamptz or p_now >= (decided->>'until')::timestamptz then
      return jsonb_build_object('kind', 'askRules', 'organizationId', k.organization_id, 'campaignId', k.campaign_id, 'to', k.to_number,
        'rules', rules, 'version', md5(rules::text), 'attempts', to_jsonb(attempts), 'dialUntil', k.dial_until,
        'isDispatch', k.campaign_id is null and k.callback_of is null)
        || (select jsonb_build_object('timezone', max(timezone), 'consent', count(consent_at) > 0 or k.callback_of is not null) from contacts where id = k.contact_id);
    end if;
  end if;
  if coalesce((p_guards->>'agentMissing')::boolean, false) then
    return jsonb_build_object('kind', 'agentMissing', 'medium', k.medium, 'grantedAt', k.granted_at);
  end if;
  -- A campaign or callback never dials numbers whose owner opted out in a call, even without a check. A dispatch may
  -- dial them.
  if k.medium = 'telephony' and (k.campaign_id is not null or k.callback_of is not null) and exists (
    select from dnd_numbers where organization_id = k.organization_id and phone_number = k.to_number and opted_out_in_call is not null) then
    return jsonb_build_object('kind', 'dnd');
  end if;
  if k.medium = 'telephony' and (case when k.campaign_id is null then not k.dnd_check_skipped else c.perform_dnd_check end) then
    if exists (select 1 from dnd_numbers where organization_id = k.organization_id and phone_number = k.to_number) then
      return jsonb_build_object('kind', 'dnd');
    end if;
    if p_guards->>'registryNotBefore' is not null and not coalesce((p_guards->>'registryCleared')::boolean, false) then
      select a.listed into listed from dnd_registry_answers a
        where a.phone_number = k.to_number and a.requested_at >= (p_guards->>'registryNotBefore')::timestamptz;
      if not found then return jsonb_build_object('kind', 'askRegistry', 'to', k.to_number); end if;
      if listed then return jsonb_build_object('kind', 'dnd'); end if;
    end if;
  end if;
  if k.medium = 'telephony' and (p_guards->>'dialEveryMs')::numeric > 0 then
    wait_ms := trunk_slot(p_call, k.dial_slot_at, p_guards->>'trunk', (p_guards->>'dialEveryMs')::numeric, p_now);
    if wait_ms is not null then return jsonb_build_object('kind', 'paced', 'waitMs', wait_ms); end if;
  end if;
  -- A request that the carrier accepts late must not ring after the window. not_after is a time of the carrier's clock,
  -- which now shows p_not_after - 3 s.
  p_not_after := least(p_not_after, p_not_after - interval '3 seconds' + (least(c.dialing_until, k.dial_until, (decided->>'until')::timestamptz) - p_now));
  -- The user of a browser session can talk to its agent before this.
  update calls set stage = 'requested', call_status = case when answered_at is null then 'dialing' else call_status end,
      requested_at = p_now, not_after = p_not_after,
      pending_until = p_now + coalesce((p_guards->>'pendingDialMs')::numeric, 0) * interval '1 millisecond',
      deadline_at = p_now + coalesce((p_guards->>'deadlineMs')::numeric, 0) * interval '1 millisecond'
    where call_id = p_call;
  if k.campaign_id is not null then
    update contacts set state = 'in_progress' where id = k.contact_id and state = 'pending';
    if found then update campaigns set in_progress_contacts = in_progress_contacts + 1 where id = c.id; end if;
  end if;
  return (select jsonb_build_object('kind', 'ask', 'notAfter', p_not_after, 'to', k.to_number, 'from', k.from_number, 'name', k.name,
      'attempt', coalesce(k.attempt, 1), 'variables', k.metadata, 'modifyAgent', k.modify_agent, 'medium', k.medium,
      'agentName', a.display_name, 'config', f.config)
    from agents a join agent_versions v on v.agent_id = a.id and v.version = k.agent_version join agent_configs f on f.id = v.config_id
    where a.id = k.agent_id);
end $$;
