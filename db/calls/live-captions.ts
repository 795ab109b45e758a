/** Reads the live captions of calls and manages their listeners. */
import type { CallStatus } from '../../domain/call-outcome';
import type { TranscriptSegment } from '../../domain/transcript';
import type { Db } from '../kernel/connection';
import { firstRow, rows } from '../kernel/query';
import { inMonthsOf } from './months';

export interface CaptionedSegment extends Omit<TranscriptSegment, 'endMs'> {
  /** Position among the call's segments in order of arrival. Only increases and is never reused. */
  seq: number;
  interrupted: boolean;
  confidence: number | null;
  language: string | null;
}

export interface CaptionedCall {
  callId: string;
  callStatus: CallStatus;
  isOver: boolean;
  acceptedAt: Date;
  answeredAt: Date | null;
  endedAt: Date | null;
  /** Highest `seq` so far. */
  emittedSegments: number;
  /** Ordered by `seq`. */
  segments: CaptionedSegment[];
}

/** The position up to which a listener has read a call. */
interface CaptionCursor {
  callId: string;
  /** Segments with a higher `seq` are returned. */
  seq: number;
}

export async function isCallOf(db: Db, callId: string, organizationId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    `select 1 from all_calls where call_id = :callId and ${inMonthsOf('all_calls', 'array[:callId]')} and organization_id = :organizationId::uuid`,
    { callId, organizationId },
  );
  return found !== undefined;
}

/** Returns undefined for an unknown call. */
export async function organizationOfCall(db: Db, callId: string): Promise<string | undefined> {
  const found = await firstRow<{ organizationId: string }>(
    db,
    `select organization_id as "organizationId" from all_calls where call_id = :callId and ${inMonthsOf('all_calls', 'array[:callId]')}`,
    { callId },
  );
  return found?.organizationId;
}

/** Leaves out unknown calls. */
export function captionsSince(db: Db, cursors: readonly CaptionCursor[]): Promise<CaptionedCall[]> {
  return rows<CaptionedCall>(
    db,
    `select k.call_id as "callId", k.call_status as "callStatus", k.stage = 'over' as "isOver", k.accepted_at as "acceptedAt",
       k.answered_at as "answeredAt", k.ended_at as "endedAt", k.emitted_segments as "emittedSegments", said.segments
     from jsonb_to_recordset(:cursors) as c("callId" text, seq integer)
     join all_calls k on k.call_id = c."callId" and k.call_id = any(:callIds) and ${inMonthsOf('k', ':callIds')}
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('seq', s.seq, 'speaker', s.speaker, 'text', s.text, 'startMs', s.start_ms,
           'interrupted', s.interrupted, 'confidence', s.confidence, 'language', s.language) order by s.seq), '[]'::jsonb) as segments
       from all_call_segments s where s.call_id = k.call_id and ${inMonthsOf('s', ':callIds')} and s.seq > c.seq
     ) said`,
    { cursors: JSON.stringify(cursors), callIds: cursors.map(({ callId }) => callId) },
  );
}

/** How long a registration lasts unless it is renewed. */
const LISTENED_FOR = `interval '50 seconds'`;

/**
 * Turns on notifications for one call, after waiting for transactions that are writing to it. Read the call afterwards, because those
 * writes don't send notifications.
 */
export async function registerListening(db: Db, callId: string): Promise<void> {
  await rows(
    db,
    `with locked as (select call_id from calls where call_id = :callId for share)
     insert into caption_listeners (call_id, until) select call_id, clock_timestamp() + ${LISTENED_FOR} from locked
     on conflict (call_id) do update set until = excluded.until`,
    { callId },
  );
}

/** Renews registrations and returns the calls whose registration hadn't expired. Changes to the other calls may have been missed. */
export async function renewListening(db: Db, callIds: readonly string[]): Promise<string[]> {
  const renewed = await rows<{ callId: string }>(
    db,
    `update caption_listeners set until = clock_timestamp() + ${LISTENED_FOR}
     where call_id in (
       select call_id from caption_listeners where call_id = any(:callIds) and until > clock_timestamp() order by call_id for update)
     returning call_id as "callId"`,
    { callIds: [...callIds] },
  );
  await rows(
    db,
    `delete from caption_listeners where call_id in (
       select call_id from caption_listeners where until < clock_timestamp() - ${LISTENED_FOR} for update skip locked)`,
  );
  return renewed.map(({ callId }) => callId);
}

/** Sends notifications, which only current listeners receive. */
export async function notify(db: Db, channel: string, payloads: readonly string[]): Promise<void> {
  await rows(db, 'select pg_notify(:channel, p) from unnest(:payloads::text[]) p', {
    channel,
    payloads: [...payloads],
  });
}
