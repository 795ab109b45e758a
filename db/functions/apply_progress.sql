-- Records a carrier's reports on calls: their states, who answered, and segments of the transcript. p_events:
-- [{reference, carrierId, type, at, answeredBy, fromNumber, segment}], in the order of arrival. Returns the events whose
-- time was impossible and was replaced by p_now: [{callId, type}].
-- Plans its statement once per connection.
-- Guarantee: repeated, late and reordered events don't change the result. Calls whose person was erased don't change.
-- An `answered` after the end sets the talk time, which isn't longer than the time since the dial.
-- Locks: calls, in the order of their ids, so that overlapping batches don't deadlock.
-- Callers: db/calls/events.ts, end_calls.
create or replace function apply_progress(p_events jsonb, p_now timestamptz, p_credits_per_minute numeric) returns jsonb
language plpgsql set plan_cache_mode to force_generic_plan as $$
declare
  replaced jsonb;
begin
  with event as (
    select * from rows from (jsonb_to_recordset(p_events) as (reference text, "carrierId" text, type text, at timestamptz, "answeredBy" text,
      "fromNumber" text, segment jsonb)) with ordinality as e(reference, carrier_id, type, at, answered_by, from_number, segment, place)
  ), locked as (
    -- Reads each row again after the wait for its lock.
    select call_id, emitted_segments, stage, answered_at, ended_at, earliest_event(k) as earliest from calls k
      where call_id in (select reference from event) and erased_at is null order by call_id for no key update
  ), believed as materialized (
    select event.*, believed_time(event.at, locked.earliest, p_now) as time from event join locked on locked.call_id = reference
  ), reported as (
    select reference, max(carrier_id) as carrier_id, max(from_number) as from_number,
      min(time) filter (where type = 'dialing') as dialing_at, min(time) filter (where type = 'ringing') as ringing_at,
      min(time) filter (where type = 'answered') as answered_at, min(answered_by) filter (where type = 'answered') as answered_by
    from believed group by reference
  ), said as (
    select distinct on (reference, s."startMs", s.speaker) reference, s.* from believed, jsonb_to_record(segment)
      as s("startMs" integer, speaker text, "endMs" integer, text text, interrupted boolean, confidence real, language text)
    where segment is not null order by reference, s."startMs", s.speaker, place
  ), segments as (
    insert into call_segments (call_id, start_ms, speaker, end_ms, text, interrupted, confidence, language, seq)
    select reference, "startMs", speaker, "endMs", text, coalesce(interrupted, false), confidence, language,
      emitted_segments + row_number() over (partition by reference order by "startMs", speaker)
    from said join locked on locked.call_id = reference
    where not exists (select 1 from call_segments s where s.call_id = reference and s.start_ms = "startMs" and s.speaker = said.speaker)
    on conflict do nothing
    returning call_id, seq
  ), bounded as (
    select reported.reference, reported.carrier_id, reported.from_number, reported.dialing_at, reported.ringing_at, reported.answered_by,
      -- Without an end, this is the reported answer, because greatest() ignores null.
      case when reported.answered_at is not null
        then greatest(reported.answered_at, locked.ended_at - greatest(interval '0', p_now - locked.earliest)) end as answered_at,
      locked.stage = 'over' and locked.answered_at is null and reported.answered_at is not null as is_late_answer, locked.ended_at
    from reported join locked on locked.call_id = reference
  ), facts as materialized (
    -- Joined before the update, because the planner expects one row there and would repeat the count for each.
    select bounded.*, counted.seq,
      case when is_late_answer then greatest(0, round(extract(epoch from ended_at - answered_at) * 1000)) end as late_talk_ms
    from bounded left join (select call_id, max(seq) as seq from segments group by call_id) counted on counted.call_id = reference
  ), applied as (
    update calls k set
      -- An event proves that the call was placed, even if the carrier's response was lost.
      stage = case when k.stage = 'requested' then 'placed' else k.stage end,
      carrier_id = coalesce(k.carrier_id, t.carrier_id),
      from_number = case when k.direction = 'Outbound' then coalesce(k.from_number, t.from_number) else k.from_number end,
      -- Clocks differ, so no state is later than the end.
      dialing_at = coalesce(k.dialing_at, case when t.dialing_at > k.ended_at then k.ended_at else t.dialing_at end),
      ringing_at = coalesce(k.ringing_at, case when t.ringing_at > k.ended_at then k.ended_at else t.ringing_at end),
      answered_at = coalesce(k.answered_at, t.answered_at),
      -- A carrier may report again once it knows who answered. The min() above works because 'unknown' sorts last.
      answered_by = case when coalesce(k.answered_by, 'unknown') = 'unknown' then coalesce(t.answered_by, k.answered_by) else k.answered_by end,
      reported_at = p_now,
      call_status = case
        when k.stage = 'over' then k.call_status
        when coalesce(k.answered_at, t.answered_at) is not null then 'in progress'
        when coalesce(k.ringing_at, t.ringing_at) is not null then 'ringing'
        else 'dialing' end,
      emitted_segments = coalesce(t.seq, k.emitted_segments),
      duration_ms = coalesce(t.late_talk_ms, k.duration_ms),
      call_cost = coalesce(ceil(t.late_talk_ms / 60000.0) * p_credits_per_minute, k.call_cost)
    from facts t
    where k.call_id = t.reference
  )
  select coalesce(jsonb_agg(jsonb_build_object('callId', reference, 'type', type) order by place), '[]') into replaced
    from believed where time <> at;
  return replaced;
end $$;
