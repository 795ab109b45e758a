-- Writes the end of a call: its final status, its contact's state or next attempt, the campaign's sums; releases its line and hands it over.
-- p_end: {callStatus, endReason, answered, contactState, redial, carrierFailed, endedAt, dialingAt, ringingAt, answeredAt, answeredBy,
-- creditsPerMinute}.
-- Same rule: workflows/domain/redial.ts, workflows/domain/call-cost.ts.
-- Guarantee: once; no dial and no ringing after the end; null for a call that was over before, of which nothing is changed. A contact is not dialled again once a person has hung
-- up on it, and rests from when the end was reported to us. Where nothing was dialled but the contact is to be dialled again (a do-not-disturb
-- check that could not be made), that counts as a dial, or it would be repeated for ever. A callback does not count, and its contact, who
-- was reached before, is completed whatever becomes of it.
-- Locks: client, campaign, call: the mark of a person who hangs up is read as hang_up left it.
-- Callers: db/calls/engine.ts, hang_up.
create or replace function end_call(p_call text, p_end jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
  c campaigns%rowtype;
  answer timestamptz;
  dialling timestamptz := (p_end->>'dialingAt')::timestamptz;
  ringing timestamptz := (p_end->>'ringingAt')::timestamptz;
  ended timestamptz := (p_end->>'endedAt')::timestamptz;
  talk_ms bigint := 0;
  retry_at timestamptz;
  contact_state text := p_end->>'contactState';
  may_redial boolean;
  was_in_progress integer;
begin
  select * into k from calls where call_id = p_call;
  if not found then return null; end if;
  perform 1 from clients where id = k.client_id for no key update;
  select * into c from campaigns where id = k.campaign_id for no key update;
  select * into k from calls where call_id = p_call for no key update;
  if k.stage = 'over' then return null; end if;

  -- An intent that came to nothing before a cancel is no attempt.
  if k.stage = 'granted' and p_end->>'endReason' = 'cancelled' then k.asked_at := null; end if;
  dialling := coalesce(k.dialing_at, dialling);
  ringing := coalesce(k.ringing_at, ringing);
  answer := coalesce(k.answered_at, (p_end->>'answeredAt')::timestamptz);
  if (p_end->>'answered')::boolean and answer is not null then
    talk_ms := greatest(0, round(extract(epoch from ended - answer) * 1000));
  end if;
  -- Reported by other clocks, or later: nothing began after it was over.
  dialling := case when dialling > ended then ended else dialling end;
  ringing := case when ringing > ended then ended else ringing end;
  may_redial := (p_end->>'redial')::boolean and k.hang_up_asked_at is null;
  if k.campaign_id is not null and may_redial and k.attempt < c.max_retries and c.status <> 'cancelled' then
    -- By our clock: the end is by the carrier's, which may be wrong.
    retry_at := p_now + make_interval(mins => c.retry_after_mins);
    contact_state := 'pending';
  end if;
  update calls set stage = 'over', call_status = p_end->>'callStatus', end_reason = p_end->>'endReason', ended_at = ended, asked_at = k.asked_at,
      dialing_at = dialling, ringing_at = ringing, answered_at = answer, answered_by = coalesce(p_end->>'answeredBy', answered_by),
      duration_ms = talk_ms, call_cost = ceil(talk_ms / 60000.0) * (p_end->>'creditsPerMinute')::numeric,
      will_retry = retry_at is not null, next_attempt_at = retry_at, reported_at = p_now
    where call_id = p_call;
  delete from lines where call_id = p_call;
  perform count_for_brakes(k, ceil(talk_ms / 60000.0) * (p_end->>'creditsPerMinute')::numeric, (p_end->>'carrierFailed')::boolean, ended);

  if k.callback_of is not null then
    perform end_callback(k.callback_of, (p_end->>'answered')::boolean, p_end->>'callStatus');
  end if;
  if k.campaign_id is not null then
    select (state = 'in_progress')::integer into was_in_progress from contacts where id = k.contact_id;
    if k.callback_of is not null then contact_state := 'completed'; end if;
    update contacts set state = contact_state, callback_of = null,
        attempts = case when k.asked_at is null and retry_at is null then attempts else coalesce(k.attempt, attempts) end,
        next_attempt_at = retry_at, call_id = null,
        reason = case when contact_state in ('pending', 'completed') then null else p_end->>'endReason' end
      where id = k.contact_id;
    update campaigns set in_progress_contacts = in_progress_contacts - was_in_progress,
        completed_contacts = completed_contacts + (contact_state = 'completed')::integer,
        failed_contacts = failed_contacts + (contact_state not in ('completed', 'pending'))::integer
      where id = c.id;
  end if;
  return jsonb_build_object(
    'granted', to_jsonb(grant_lines(k.client_id, p_now)),
    'refill', k.campaign_id is not null and ask_refill(k.campaign_id, p_now),
    'campaignId', k.campaign_id);
end $$;
