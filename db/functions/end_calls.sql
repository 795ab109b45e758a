-- Records the ends of calls: final status, state or next attempt of the contact, counts of the campaign, and the totals
-- behind spend limits and circuit breakers. Releases their lines and grants them to waiting calls. Takes many ends in
-- one transaction, because all ends of an organization wait for each other at its row.
-- p_ends: [{callId, now, end: {callStatus, endReason, answered, contactState, redial, carrierFailed, endedAt,
-- dialingAt, ringingAt, answeredAt, answeredBy, fromNumber, creditsPerMinute}, events}]. carrierFailed is null when the
-- end says nothing about the carrier. The events of a call are those of apply_progress and are applied before its end.
-- Returns {ended: [callId], granted: [callId], refill: [campaignId], replaced: [{callId, type}]}. The last are events
-- and ends whose times were impossible and were replaced by `now`.
-- Plans each statement once per connection. By default, Postgres would plan it again in each of the first five runs.
-- Same rule: domain/redial.ts, domain/call-cost.ts.
-- Guarantee: each call ends once; a call that was already over isn't in `ended` and doesn't change. No dialling or
-- ringing starts after the end. A contact isn't redialled after a person hung up its call. The retry delay counts
-- from the report by our clock, because the carrier's clock may be wrong. A do-not-disturb check that failed counts as
-- a dial, because it would be repeated forever otherwise. A callback doesn't count as a dial, and its contact is
-- completed with any result, because it was reached before. A browser session says nothing about the carrier. The end
-- can't precede the answer, and the talk time can't exceed the time since the dial.
-- Locks: organizations, campaigns, calls, each in the order of their ids. Reads the calls after locking them, so that a
-- mark by hang_up isn't missed.
-- Callers: db/calls/ends.ts, hang_up.
create or replace function end_calls(p_ends jsonb) returns jsonb language plpgsql set plan_cache_mode to force_generic_plan as $$
declare
  organizations_of uuid[];
  campaigns_of uuid[];
  ended_calls jsonb;
  callbacks jsonb;
  granted text[] := '{}';
  refill uuid[] := '{}';
  events jsonb;
  replaced jsonb := '[]';
  now_at timestamptz;
  each_id uuid;
begin
  select array_agg(distinct k.organization_id), array_remove(array_agg(distinct k.campaign_id), null), max((said->>'now')::timestamptz)
    into organizations_of, campaigns_of, now_at
    from jsonb_array_elements(p_ends) said join calls k on k.call_id = said->>'callId';
  perform 1 from organizations where id = any(organizations_of) order by id for no key update;
  perform 1 from campaigns where id = any(campaigns_of) order by id for no key update;
  perform 1 from calls where call_id in (select said->>'callId' from jsonb_array_elements(p_ends) said) order by call_id for no key update;

  select jsonb_agg(event) into events from jsonb_array_elements(p_ends) said, jsonb_array_elements(said->'events') event;
  if events is not null then
    replaced := apply_progress(events, now_at, (select max((said->'end'->>'creditsPerMinute')::numeric) from jsonb_array_elements(p_ends) said));
  end if;

  with said as materialized (
    -- Keeps the first report of each call.
    select distinct on (call_id) call_id, nth, said_at, fact->>'callStatus' as call_status, fact->>'endReason' as end_reason,
        (fact->>'answered')::boolean as answered, fact->>'contactState' as contact_state, (fact->>'redial')::boolean as redial,
        (fact->>'carrierFailed')::boolean as carrier_failed, (fact->>'endedAt')::timestamptz as ended_at,
        (fact->>'dialingAt')::timestamptz as dialing_at, (fact->>'ringingAt')::timestamptz as ringing_at,
        (fact->>'answeredAt')::timestamptz as answered_at, fact->>'answeredBy' as answered_by, fact->>'fromNumber' as from_number,
        (fact->>'creditsPerMinute')::numeric as credits_per_minute
      from rows from (jsonb_to_recordset(p_ends) as ("callId" text, now timestamptz, "end" jsonb)) with ordinality
        as report (call_id, said_at, fact, nth)
      order by call_id, nth
  ), standing as materialized (
    select said.*, k.organization_id, k.campaign_id, k.contact_id, k.attempt, k.callback_of, k.medium, ct.state = 'in_progress' as is_in_progress,
        -- A dial that the carrier didn't place before a cancel isn't an attempt.
        case when k.stage = 'granted' and said.end_reason = 'cancelled' then null else k.requested_at end as requested_at,
        earliest_event(k) as earliest, k.dialing_at as known_dialing, k.ringing_at as known_ringing, k.answered_at as known_answer,
        case when said.redial and k.hang_up_requested_at is null and k.attempt < c.max_attempts and c.status <> 'cancelled'
          then said.said_at + make_interval(mins => c.retry_delay_mins) end as retry_at
      from said join calls k using (call_id) left join campaigns c on c.id = k.campaign_id left join contacts ct on ct.id = k.contact_id
      -- The expression keeps the planner from using the index of all open calls, which looks cheaper than look-ups by id.
      where k.stage || '' <> 'over'
  ), timed as materialized (
    select standing.*, coalesce(known_dialing, dialing) as dialled, coalesce(known_ringing, ringing) as rang, answer,
        least(believed_end, answer + greatest(interval '0', said_at - earliest)) as ended,
        (dialing, ringing, answering, believed_end) is distinct from (dialing_at, ringing_at, answered_at, ended_at) as is_replaced
      from standing cross join lateral (
          select believed_time(dialing_at, earliest, said_at) as dialing, believed_time(ringing_at, earliest, said_at) as ringing,
            believed_time(answered_at, earliest, said_at) as answering) started
        cross join lateral (select coalesce(known_answer, answering) as answer) answered
        cross join lateral (select believed_time(ended_at, coalesce(answer, earliest), said_at) as believed_end) finished
  ), facts as materialized (
    select *, case when answered then greatest(0, round(extract(epoch from ended - answer) * 1000)) else 0 end as talk_ms,
        case when callback_of is not null then 'completed' when retry_at is not null then 'pending' else contact_state end as next_state
      from timed
  ), charged as materialized (
    select *, ceil(talk_ms / 60000.0) * credits_per_minute as cost,
        case when medium = 'telephony' and requested_at is not null then carrier_failed end as says_of_carrier
      from facts
  ), ended as (
    -- Clocks differ and reports arrive late, so earlier steps are capped at the end.
    update calls k set stage = 'over', call_status = f.call_status, end_reason = f.end_reason, ended_at = f.ended, requested_at = f.requested_at,
        dialing_at = case when f.dialled > f.ended then f.ended else f.dialled end,
        ringing_at = case when f.rang > f.ended then f.ended else f.rang end,
        from_number = case when k.direction = 'Outbound' then coalesce(k.from_number, f.from_number) else k.from_number end,
        answered_at = f.answer, answered_by = coalesce(f.answered_by, k.answered_by), duration_ms = f.talk_ms, call_cost = f.cost,
        will_retry = f.retry_at is not null, next_attempt_at = f.retry_at, reported_at = f.said_at
      from charged f where k.call_id = f.call_id
  ), released as (
    delete from lines where call_id in (select call_id from charged)
  ), reached as (
    update contacts ct set state = f.next_state, callback_of = null,
        attempts = case when f.requested_at is null and f.retry_at is null then ct.attempts else coalesce(f.attempt, ct.attempts) end,
        next_attempt_at = f.retry_at, call_id = null,
        reason = case when f.next_state in ('pending', 'completed') then null else f.end_reason end
      from charged f where f.campaign_id is not null and ct.id = f.contact_id
  ), counted as (
    update campaigns c set in_progress_contacts = in_progress_contacts - s.were_in_progress,
        completed_contacts = completed_contacts + s.completed, failed_contacts = failed_contacts + s.failed,
        recent_dials = right(recent_dials || s.dials, 100)
      from (select campaign_id, count(*) filter (where is_in_progress) as were_in_progress, count(*) filter (where next_state = 'completed') as completed,
              count(*) filter (where next_state not in ('completed', 'pending')) as failed,
              coalesce(string_agg(says_of_carrier::integer::text, '' order by nth), '') as dials
            from charged where campaign_id is not null group by campaign_id) s
      where c.id = s.campaign_id
  ), watched as (
    update organizations c set recent_dials = right(recent_dials || s.dials, 100)
      from (select organization_id, string_agg(says_of_carrier::integer::text, '' order by nth) as dials
            from charged where says_of_carrier is not null group by organization_id) s
      where c.id = s.organization_id
  ), spent as (
    insert into spend as s (owner_id, day, credits)
      select owner, (ended at time zone 'UTC')::date, sum(cost) from charged, unnest(array[organization_id, campaign_id]) owner
        where owner is not null and cost > 0 group by 1, 2
      on conflict (owner_id, day) do update set credits = s.credits + excluded.credits
  )
  select coalesce(jsonb_agg(call_id order by nth), '[]'), array_agg(distinct organization_id), array_remove(array_agg(distinct campaign_id), null),
      jsonb_agg(jsonb_build_object('of', callback_of, 'answered', answered, 'status', call_status)) filter (where callback_of is not null),
      replaced || coalesce(jsonb_agg(jsonb_build_object('callId', call_id, 'type', 'ended') order by nth) filter (where is_replaced), '[]')
    into ended_calls, organizations_of, campaigns_of, callbacks, replaced from charged;

  perform end_callback(callback->>'of', (callback->>'answered')::boolean, callback->>'status') from jsonb_array_elements(callbacks) callback;
  foreach each_id in array coalesce(organizations_of, '{}') loop
    granted := granted || grant_lines(each_id, now_at);
  end loop;
  foreach each_id in array coalesce(campaigns_of, '{}') loop
    if ask_refill(each_id, now_at) then refill := refill || each_id; end if;
  end loop;
  return jsonb_build_object('ended', ended_calls, 'granted', to_jsonb(granted), 'refill', to_jsonb(refill), 'replaced', replaced);
end $$;
