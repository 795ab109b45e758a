-- Decides on a caller: {kind: 'accepted', callId, clientId, agentId, config, toStart}, 'busy' or 'unknown'. p_event: {carrierId, callId,
-- to, from, at}. A number that the client of its agent may not use (may_use_number) is unknown. An accepted call has its line and is placed; one
-- that finds no free line is on record as over. No free line is kept from a call that waits: those get theirs in the transaction that frees it.
-- Guarantee: once for each call of the carrier, however often it announces it; live calls never exceed the client's maximum.
-- Locks: client.
-- Callers: db/calls/inbound-calls.ts.
create or replace function take_inbound(p_event jsonb, p_now timestamptz, p_registered_only boolean) returns jsonb language plpgsql as $$
declare
  answer jsonb := inbound_answer(p_event->>'carrierId');
  r inbound_routes%rowtype;
  a agents%rowtype;
  free boolean;
begin
  if answer is not null then return answer; end if;
  select * into r from inbound_routes where number = p_event->>'to' and agent_id is not null
    and may_use_number(number, client_id, p_registered_only);
  if not found then return jsonb_build_object('kind', 'unknown'); end if;
  perform 1 from clients where id = r.client_id for no key update;
  select max_concurrency > (select count(*) from lines where client_id = r.client_id) into free from clients where id = r.client_id;
  select * into a from agents where id = r.agent_id;
  insert into calls (call_id, client_id, agent_id, agent_version, call_type, direction, from_number, to_number, stage, call_status,
      end_reason, accepted_at, granted_at, carrier_id, reported_at, ringing_at, ended_at, concluded_at, to_start_since)
    values (p_event->>'callId', r.client_id, a.id, a.version, 'Inbound', 'Incoming', p_event->>'from', r.number,
      case when free then 'placed' else 'over' end, case when free then 'ringing' else 'busy' end, case when free then null else 'lines_busy' end,
      p_now, case when free then p_now end, p_event->>'carrierId', p_now, least((p_event->>'at')::timestamptz, p_now),
      case when free then null else p_now end, case when free then null else p_now end, case when free then p_now end)
    on conflict do nothing;
  if found and free then
    insert into lines (call_id, client_id, taken_at) values (p_event->>'callId', r.client_id, p_now);
  end if;
  return inbound_answer(p_event->>'carrierId');
end $$;
