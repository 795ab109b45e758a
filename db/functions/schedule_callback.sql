-- Schedules the callback that was requested in a call. p_request: {id, dueAt, callId, dialUntil, mostDepth, toNumber,
-- cap}. callId and dialUntil are for the new call that calls back a dispatched or inbound call, and toNumber is where
-- it dials an inbound caller. cap is {hashes, mostPerDay}, with hashes of the number by each key, the current one
-- first. Returns {kind: 'contact'} if the campaign makes the callback, and {kind: 'call', …} if a new call does.
-- Returns null if there is no callback: for a browser session, beyond mostDepth, when the campaign is over or its
-- contacts were erased, and for a number with an open callback or mostPerDay callbacks on this UTC day.
-- Guarantee: one callback per call. A repeated run before the call is concluded changes nothing and returns the same.
-- Locks: campaign, call, then the number's rows of callback_caps.
-- Callers: conclude_call.
create or replace function schedule_callback(p_call text, p_request jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
  c campaigns%rowtype;
  due timestamptz := (p_request->>'dueAt')::timestamptz;
  made text;
  hashes bytea[] := array(select decode(hash, 'hex') from jsonb_array_elements_text(p_request->'cap'->'hashes') hash);
  today date := (p_now at time zone 'UTC')::date;
  is_open boolean;
  made_today integer;
begin
  select * into c from campaigns where id = (select campaign_id from calls where call_id = p_call) for no key update;
  select * into k from calls where call_id = p_call for no key update;
  if k.callback_id is not null then
    select call_id into made from calls where callback_of = p_call and campaign_id is null;
    return case when made is null then null else
      (select jsonb_build_object('kind', 'call', 'callId', n.call_id, 'dueAt', k.callback_at, 'dialUntil', n.dial_until) from calls n where n.call_id = made) end;
  end if;
  if k.medium = 'webrtc' or k.concluded_at is not null or k.callback_depth >= (p_request->>'maxDepth')::integer then return null; end if;
  if cardinality(hashes) > 0 then
    insert into callback_caps (organization_id, number_hash, day, scheduled, last_call_id) values (k.organization_id, hashes[1], today, 0, p_call)
      on conflict do nothing;
    perform 1 from callback_caps where organization_id = k.organization_id and number_hash = any(hashes) order by number_hash for update;
    select bool_or(exists (select from calls o where o.call_id = last_call_id and o.callback_status = 'scheduled')),
        sum(scheduled) filter (where day = today)
      into is_open, made_today from callback_caps where organization_id = k.organization_id and number_hash = any(hashes);
    if is_open or made_today >= (p_request->'cap'->>'maxPerDay')::integer then return null; end if;
    update callback_caps set day = today, scheduled = case when day = today then scheduled else 0 end + 1, last_call_id = p_call
      where organization_id = k.organization_id and number_hash = hashes[1];
  end if;
  update calls set callback_id = p_request->>'id', callback_at = due, callback_status = 'scheduled' where call_id = p_call;
  if k.campaign_id is null then
    insert into calls (call_id, organization_id, agent_id, agent_version, medium, call_type, direction, name, from_number, to_number, metadata,
        modify_agent, x_agent_id, voice, dnd_check_skipped, accepted_at, not_before, dial_until, callback_of, callback_depth)
      select p_request->>'callId', k.organization_id, k.agent_id, a.version, k.medium, 'Outbound', 'Outbound', k.name, case when k.direction = 'Incoming' then null else k.from_number end,
        case when k.direction = 'Incoming' then p_request->>'toNumber' else k.to_number end,
        k.metadata, k.modify_agent, k.x_agent_id, k.voice, k.dnd_check_skipped, p_now, due, (p_request->>'dialUntil')::timestamptz,
        p_call, k.callback_depth + 1
      from agents a where a.id = k.agent_id;
    return jsonb_build_object('kind', 'call', 'callId', p_request->>'callId', 'dueAt', due, 'dialUntil', p_request->'dialUntil');
  end if;
  if c.ended_at is null and c.status <> 'cancelled' and c.contacts_erased_at is null then
    update contacts set state = 'pending', next_attempt_at = due, callback_of = p_call, reason = null
      where id = k.contact_id and state = 'completed' and call_id is null;
    if found then
      update campaigns set completed_contacts = completed_contacts - 1, refill_requested_at = coalesce(refill_requested_at, p_now) where id = c.id;
      return jsonb_build_object('kind', 'contact');
    end if;
  end if;
  update calls set callback_status = 'cancelled' where call_id = p_call;
  return null;
end $$;
