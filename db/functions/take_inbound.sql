-- Decides on an inbound call. Returns {kind: 'accepted', callId, organizationId, agentId, config, toStart, isReplaced},
-- 'busy' or 'unknown'. isReplaced says that the first ring's time was impossible, so that p_now replaced it. Carriers
-- repeat the report of a caller for half a minute, also after our outages, and LiveKit even reports callers who have
-- hung up, so the first ring may be 2 minutes ago. p_event: {carrierId, callId, to, from, number, at}, where number is the normalized `from`, or null if it
-- is withheld. p_limits: {registeredOnly, spendPerDay}. An accepted call has a line and is placed. A refused call is
-- recorded as over with its reason: spend_limit, number_busy (the number has another live call) or lines_busy (no free
-- line, or inbound calls use up their share, see caller_lines_of). A number that the agent's organization may not use
-- (may_use_number) is unknown. Inbound calls take no line from waiting calls, because the transaction that frees a line
-- grants it.
-- Guarantee: one decision per call of the carrier, even if the carrier reports the call repeatedly. Live calls never
-- exceed the organization's maximum, and a number has one live call per organization.
-- Locks: organization.
-- Callers: db/calls/inbound-calls.ts.
create or replace function take_inbound(p_event jsonb, p_now timestamptz, p_limits jsonb) returns jsonb language plpgsql as $$
declare
  answer jsonb := inbound_answer(p_event->>'carrierId');
  r inbound_routes%rowtype;
  a agents%rowtype;
  c organizations%rowtype;
  refused text;
  free boolean;
  rang timestamptz := believed_time((p_event->>'at')::timestamptz, p_now - interval '2 minutes', p_now);
begin
  if answer is not null then return answer || jsonb_build_object('isReplaced', false); end if;
  select * into r from inbound_routes where number = p_event->>'to' and agent_id is not null
    and may_use_number(number, organization_id, (p_limits->>'registeredOnly')::boolean);
  if not found then return jsonb_build_object('kind', 'unknown'); end if;
  select * into c from organizations where id = r.organization_id for no key update;
  select case when is_past_spend(c.id, 'callers', (p_limits->>'spendPerDay')::numeric, p_now) then 'spend_limit'
      when count(*) filter (where l.number = p_event->>'number') > 0 then 'number_busy'
      when count(*) >= c.max_concurrency or count(*) filter (where l.is_caller) >= caller_lines_of(c) then 'lines_busy' end
    into refused from lines l where l.organization_id = c.id;
  free := refused is null;
  select * into a from agents where id = r.agent_id;
  insert into calls (call_id, organization_id, agent_id, agent_version, call_type, direction, from_number, to_number, stage, call_status,
      end_reason, accepted_at, granted_at, carrier_id, reported_at, ringing_at, ended_at, concluded_at, to_start_since)
    values (p_event->>'callId', r.organization_id, a.id, a.version, 'Inbound', 'Incoming', p_event->>'from', r.number,
      case when free then 'placed' else 'over' end, case when free then 'ringing' else 'busy' end, refused,
      p_now, case when free then p_now end, p_event->>'carrierId', p_now, least(rang, p_now),
      case when free then null else p_now end, case when free then null else p_now end, case when free then p_now end)
    on conflict do nothing;
  if found and free then
    insert into lines (call_id, organization_id, number, is_caller, taken_at)
      values (p_event->>'callId', r.organization_id, p_event->>'number', true, p_now);
  end if;
  return inbound_answer(p_event->>'carrierId') || jsonb_build_object('isReplaced', rang <> (p_event->>'at')::timestamptz);
end $$;
