import type { Db } from './connection';
import { rows, timestamp } from './query';

/** What the carrier said about a call that goes on. Applying it twice, late or out of order changes nothing. */
export interface ProgressEvent {
  reference: string;
  carrierId: string;
  type: 'dialing' | 'ringing' | 'answered' | 'segment';
  at: string;
  answeredBy?: string;
  segment?: { speaker: 'agent' | 'user'; text: string; startMs: number; endMs: number };
}

/**
 * The talk of a call whose answer is told after its end, else null. Of the row that is updated only: another reading of the table
 * would not see an end that was committed while this statement waited for the row.
 */
const LATE_TALK_MS = `(case when k.stage = 'over' and k.answered_at is null and t.answered_at is not null
    then greatest(0, round(extract(epoch from k.ended_at - t.answered_at) * 1000)) end)`;

/**
 * Applies a batch in one statement. Rows are locked in the order of their ids, so that two processes with overlapping batches never
 * wait for each other in a circle. The first instant told for a state stands. An `answered` that comes after the end still
 * completes the record: the talk is measured from it.
 */
const APPLY = `
with event as (
  select * from jsonb_to_recordset(:events) as e(reference text, "carrierId" text, type text, at timestamptz, "answeredBy" text, segment jsonb)
), locked as (
  select call_id from calls where call_id in (select reference from event) order by call_id for no key update
), told as (
  select reference, max("carrierId") as carrier_id,
    min(at) filter (where type = 'dialing') as dialing_at, min(at) filter (where type = 'ringing') as ringing_at,
    min(at) filter (where type = 'answered') as answered_at, max("answeredBy") filter (where type = 'answered') as answered_by
  from event group by reference
), segments as (
  insert into call_segments (call_id, start_ms, speaker, end_ms, text)
  select reference, (segment->>'startMs')::integer, segment->>'speaker', (segment->>'endMs')::integer, segment->>'text'
  from event join locked on locked.call_id = event.reference where segment is not null
  on conflict do nothing
)
update calls k set
  -- Hearing of it proves that it was placed, even where the carrier's answer was lost.
  stage = case when k.stage = 'asking' then 'placed' else k.stage end,
  carrier_id = coalesce(k.carrier_id, t.carrier_id),
  dialing_at = coalesce(k.dialing_at, t.dialing_at),
  ringing_at = coalesce(k.ringing_at, t.ringing_at),
  answered_at = coalesce(k.answered_at, t.answered_at),
  answered_by = coalesce(k.answered_by, t.answered_by),
  heard_at = :now,
  call_status = case
    when k.stage = 'over' then k.call_status
    when coalesce(k.answered_at, t.answered_at) is not null then 'in progress'
    when coalesce(k.ringing_at, t.ringing_at) is not null then 'ringing'
    else 'dialing' end,
  duration_ms = coalesce(${LATE_TALK_MS}, k.duration_ms),
  call_cost = coalesce(ceil(${LATE_TALK_MS} / 60000.0) * :creditsPerMinute, k.call_cost)
from told t
where k.call_id = t.reference and k.call_id in (select call_id from locked)`;

export async function applyProgress(
  db: Db,
  events: ProgressEvent[],
  { now, creditsPerMinute }: { now: number; creditsPerMinute: number },
): Promise<void> {
  await rows(db, APPLY, { events: JSON.stringify(events), now: timestamp(now), creditsPerMinute });
}
