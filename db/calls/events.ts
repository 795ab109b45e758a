import type { AnsweredBy } from '../../domain/call-outcome';
import { believedTime, boundedAnswer, isRecent } from '../../domain/event-time';
import type { TranscriptSegment } from '../../domain/transcript';
import type { Db } from '../kernel/connection';
import { prepared, rows, timestamp } from '../kernel/query';

/** A carrier's report on a live call. Reports can arrive late, repeatedly and in any order. */
export interface ProgressEvent {
  reference: string;
  carrierId: string;
  type: 'dialing' | 'ringing' | 'answered' | 'segment';
  at: string;
  answeredBy?: AnsweredBy;
  /** Caller ID that the callee sees, in E.164. */
  fromNumber?: string | null;
  segment?: FinalSegment;
}

/** A final segment of the transcript, identified by speaker and start. Only the first report of a segment is stored. */
export interface FinalSegment extends TranscriptSegment {
  /** The caller or callee interrupted it. */
  interrupted?: boolean;
  /** 0 to 1. */
  confidence?: number | null;
  language?: string | null;
}

/**
 * SQL for the talk time of a call whose answer is reported after its end, or null. Uses only the row that is updated, because a second read
 * of the table would miss an end that was committed while this statement waited for the row.
 */
const LATE_TALK_MS = `(case when k.stage = 'over' and k.answered_at is null and t.answered_at is not null
    then greatest(0, round(extract(epoch from k.ended_at - t.answered_at) * 1000)) end)`;

/**
 * Applies a batch in one statement and locks rows in the order of their ids, so that overlapping batches don't deadlock. Skips calls whose
 * person was erased. An `answered` after the end still sets the talk time.
 */
const APPLY = prepared(
  'apply_progress',
  `
with event as (
  select * from rows from (jsonb_to_recordset(:events) as (reference text, "carrierId" text, type text, at timestamptz, "answeredBy" text,
    "fromNumber" text, segment jsonb)) with ordinality as e(reference, "carrierId", type, at, "answeredBy", "fromNumber", segment, place)
), locked as (
  select call_id, emitted_segments from calls where call_id in (select reference from event) and erased_at is null order by call_id for no key update
), reported as (
  select reference, max("carrierId") as carrier_id, max("fromNumber") as from_number,
    min(at) filter (where type = 'dialing') as dialing_at, min(at) filter (where type = 'ringing') as ringing_at,
    min(at) filter (where type = 'answered') as answered_at, min("answeredBy") filter (where type = 'answered') as answered_by
  from event group by reference
), said as (
  select distinct on (reference, s."startMs", s.speaker) reference, s.* from event, jsonb_to_record(segment)
    as s("startMs" integer, speaker text, "endMs" integer, text text, interrupted boolean, confidence real, language text)
  where segment is not null order by reference, s."startMs", s.speaker, place
), segments as (
  insert into call_segments (call_id, start_ms, speaker, end_ms, text, interrupted, confidence, language, seq)
  select reference, "startMs", speaker, "endMs", text, coalesce(interrupted, false), confidence, language,
    -- Continues from the locked row, which is read again after the wait for its lock.
    emitted_segments + row_number() over (partition by reference order by "startMs", speaker)
  from said join locked on locked.call_id = reference
  where not exists (select 1 from call_segments s where s.call_id = reference and s.start_ms = "startMs" and s.speaker = said.speaker)
  on conflict do nothing
  returning call_id, seq
), facts as materialized (
  -- Joined before the update, because the planner expects one row there and would repeat the count for each.
  select reported.*, counted.seq from reported left join (select call_id, max(seq) as seq from segments group by call_id) counted
    on counted.call_id = reported.reference
)
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
  reported_at = :now,
  call_status = case
    when k.stage = 'over' then k.call_status
    when coalesce(k.answered_at, t.answered_at) is not null then 'in progress'
    when coalesce(k.ringing_at, t.ringing_at) is not null then 'ringing'
    else 'dialing' end,
  emitted_segments = coalesce(t.seq, k.emitted_segments),
  duration_ms = coalesce(${LATE_TALK_MS}, k.duration_ms),
  call_cost = coalesce(ceil(${LATE_TALK_MS} / 60000.0) * :creditsPerMinute, k.call_cost)
from facts t
where k.call_id = t.reference and k.call_id in (select call_id from locked)`,
);

/** Pass `onReplacedTime` for times that other systems report. Impossible times are then replaced by `now`. */
export async function applyProgress(
  db: Db,
  events: readonly ProgressEvent[],
  {
    now,
    creditsPerMinute,
    onReplacedTime,
  }: { now: number; creditsPerMinute: number; onReplacedTime?: OnReplacedTime },
): Promise<void> {
  const { believed, replaced } =
    onReplacedTime === undefined
      ? { believed: events, replaced: [] }
      : believedEvents(events, await knownTimes(db, toLookUp(events, now)), now);
  await rows(db, APPLY, { events: JSON.stringify(believed), now: timestamp(now), creditsPerMinute });
  for (const { reference: callId, type } of replaced) onReplacedTime?.({ callId, type });
}

/** Most events are recent, so the times of their calls aren't read. An answer depends on whether its call has ended. */
const needsLookUp = ({ type, at }: ProgressEvent, now: number): boolean =>
  type === 'answered' || !isRecent(Date.parse(at), now);

const toLookUp = (events: readonly ProgressEvent[], now: number): string[] => [
  ...new Set(events.filter((event) => needsLookUp(event, now)).map(({ reference }) => reference)),
];

/** Leaves out events of calls that were looked up and not found, because they change nothing. */
function believedEvents(
  events: readonly ProgressEvent[],
  known: ReadonlyMap<string, KnownTimes>,
  now: number,
): { believed: ProgressEvent[]; replaced: ProgressEvent[] } {
  const replaced: ProgressEvent[] = [];
  const believed = events.flatMap((event) => {
    if (!needsLookUp(event, now)) return [{ ...event, at: timestamp(Date.parse(event.at)) }];
    const bounds = known.get(event.reference);
    if (bounds === undefined) return [];
    const { at, isReplaced } = believedTime(Date.parse(event.at), { ...bounds, now });
    if (isReplaced) replaced.push(event);
    const { endedAt } = bounds;
    const isLateAnswer = event.type === 'answered' && endedAt !== null;
    return [{ ...event, at: timestamp(isLateAnswer ? boundedAnswer(at, endedAt, { ...bounds, now }) : at) }];
  });
  return { believed, replaced };
}

/** The call's own times, which limit what event times are plausible (`domain/event-time.ts`). */
interface KnownTimes {
  /** Earliest possible time of an event of the call. */
  from: number;
  answeredAt: number | null;
  endedAt: number | null;
}

/** Called for an event whose time was replaced by our own. */
export type OnReplacedTime = (event: { callId: string; type: string }) => void;

const KNOWN_TIMES = prepared(
  'known_times',
  `select call_id as "callId", answered_at as "answeredAt", ended_at as "endedAt",
     case when direction = 'Incoming' then least(accepted_at, ringing_at) else coalesce(requested_at, accepted_at) end as since
   from calls where call_id = any(:callIds)`,
);

/** Returns nothing for unknown and archived calls. An inbound call's events start at its first ring, which can precede its acceptance. */
export async function knownTimes(db: Db, callIds: readonly string[]): Promise<Map<string, KnownTimes>> {
  if (callIds.length === 0) return new Map();
  const found = await rows<{ callId: string; since: Date; answeredAt: Date | null; endedAt: Date | null }>(
    db,
    KNOWN_TIMES,
    { callIds: [...callIds] },
  );
  return new Map(
    found.map(({ callId, since, answeredAt, endedAt }) => [
      callId,
      { from: since.getTime(), answeredAt: msOf(answeredAt), endedAt: msOf(endedAt) },
    ]),
  );
}

const msOf = (instant: Date | null): number | null => instant?.getTime() ?? null;
