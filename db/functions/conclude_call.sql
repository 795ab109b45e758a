-- Concludes a call that is over: writes the findings, the transcript from the carrier, the do-not-disturb entry if the
-- person asked not to be called again, the webhook's delivery and the callback. p_conclusion: {findings, segments,
-- callerNumber, delivery: {id, eventId, event, url, body}, attemptAt, callback}. findings is null for a call that
-- wasn't answered. callerNumber is the number of an inbound caller in E.164. delivery is null for no webhook. callback
-- is a request of schedule_callback, or null. The caller attempts the delivery before attemptAt; if that is later than
-- p_now, one of the receiver's p_most slots is taken until then. Returns is_first (this run concluded the call), its
-- delivery, slot_id (null while all slots are taken), callback (the new call that makes the callback, if any) and
-- wake_campaign_id (a campaign that has a callback to make or can end).
-- Guarantee: a call is concluded once, in one transaction with its delivery and its callback. A repeated run changes
-- nothing and returns no delivery. The last call of a campaign to be concluded wakes the campaign, because the end of
-- its last contact is committed before.
-- Locks: those of schedule_callback, the call, the number in dnd_numbers, and last a slot of the receiver.
-- Callers: db/calls/conclusions.ts.
create or replace function conclude_call(p_call text, p_conclusion jsonb, p_most integer, p_now timestamptz)
returns table (is_first boolean, delivery webhook_deliveries, slot_id integer, callback jsonb, wake_campaign_id uuid) rows 1
language plpgsql as $$
declare
  k calls%rowtype;
  findings jsonb := nullif(p_conclusion->'findings', 'null');
  segments jsonb := p_conclusion->'segments';
  draft jsonb := nullif(p_conclusion->'delivery', 'null');
  attempt_at timestamptz := (p_conclusion->>'attemptAt')::timestamptz;
  remote_number text;
begin
  if nullif(p_conclusion->'callback', 'null') is not null then
    callback := schedule_callback(p_call, p_conclusion->'callback', p_now);
  end if;
  select * into k from calls where call_id = p_call for no key update;
  is_first := found and k.concluded_at is null;
  if is_first then
    -- The segments come first, because index_words reads them when the call is concluded.
    insert into call_segments (call_id, start_ms, speaker, end_ms, text, seq)
      select p_call, s."startMs", s.speaker, s."endMs", s.text, k.emitted_segments + row_number() over (order by s."startMs", s.speaker)
      from jsonb_to_recordset(segments) as s(speaker text, text text, "startMs" integer, "endMs" integer)
      on conflict do nothing;
    update calls set concluded_at = p_now,
        post_processing_status = case when findings is null then post_processing_status else 'completed' end,
        summary = findings->>'summary', entity = findings->'entity', eval_tag = findings->>'evalTag',
        conversation_eval = findings->'conversationEval', conversation_quality = findings->'quality',
        tags = coalesce((select array_agg(t) from jsonb_array_elements_text(findings->'tags') t), '{}'),
        outcome = findings->>'outcome',
        callback_requested = coalesce((findings->>'callbackRequested')::boolean, false),
        do_not_call = coalesce((findings->>'doNotCall')::boolean, false),
        emitted_segments = emitted_segments + jsonb_array_length(segments)
      where call_id = p_call;
    -- From now on, the findings are stored in the call's row.
    update call_analyses set method = findings->>'method', answer = null where call_id = p_call and method is null;
    remote_number := case when k.direction <> 'Incoming' then k.to_number when k.from_number is not null then p_conclusion->>'callerNumber' end;
    if (findings->>'doNotCall')::boolean and k.medium = 'telephony' and remote_number is not null then
      insert into dnd_numbers (organization_id, phone_number, source, added_at, opted_out_in_call)
        values (k.organization_id, remote_number, 'asked for in a call', p_now, p_call)
        on conflict (organization_id, phone_number) do update set opted_out_in_call = excluded.opted_out_in_call;
    end if;
    if draft is not null then
      insert into webhook_deliveries (id, event_id, organization_id, campaign_id, call_id, event, url, body, created_at, next_attempt_at)
        values ((draft->>'id')::uuid, (draft->>'eventId')::uuid, k.organization_id, k.campaign_id, p_call, draft->>'event', draft->>'url',
          draft->>'body', p_now, attempt_at)
        returning * into delivery;
      if attempt_at > p_now then
        slot_id := take_receiver_slot(k.organization_id, delivery.url, p_now, attempt_at, p_most);
      end if;
    end if;
  end if;
  if callback->>'kind' = 'contact' or exists (select from campaigns where id = k.campaign_id and ended_at is null
      and completed_contacts + failed_contacts = total_contacts) then
    wake_campaign_id := k.campaign_id;
  end if;
  if callback->>'kind' = 'contact' then callback := null; end if;
  return next;
end $$;
