/** What listeners to a call are told, read from its record. */
import type { Db } from './connection';
import { rows } from './query';

export interface CaptionedSegment {
  /** Its place in the order in which the call's segments became known; rises, and is never given twice. */
  seq: number;
  speaker: 'agent' | 'user';
  text: string;
  startMs: number;
  interrupted: boolean;
  confidence: number | null;
  language: string | null;
}

export interface CaptionedCall {
  callId: string;
  callStatus: string;
  isOver: boolean;
  acceptedAt: Date;
  answeredAt: Date | null;
  endedAt: Date | null;
  /** The highest seq so far. */
  segmentsTold: number;
  /** In the order of their seq. */
  segments: CaptionedSegment[];
}

/** How far a call is known already. */
export interface CaptionCursor {
  callId: string;
  /** Segments above it are read. */
  seq: number;
}

/** Unknown calls are left out. */
export function captionsSince(db: Db, cursors: readonly CaptionCursor[]): Promise<CaptionedCall[]> {
  return rows<CaptionedCall>(
    db,
    `select k.call_id as "callId", k.call_status as "callStatus", k.stage = 'over' as "isOver", k.accepted_at as "acceptedAt",
       k.answered_at as "answeredAt", k.ended_at as "endedAt", k.segments_told as "segmentsTold", said.segments
     from jsonb_to_recordset(:cursors) as c("callId" text, seq integer)
     join calls k on k.call_id = c."callId"
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('seq', s.seq, 'speaker', s.speaker, 'text', s.text, 'startMs', s.start_ms,
           'interrupted', s.interrupted, 'confidence', s.confidence, 'language', s.language) order by s.seq), '[]'::jsonb) as segments
       from call_segments s where s.call_id = k.call_id and s.seq > c.seq
     ) said`,
    { cursors: JSON.stringify(cursors) },
  );
}

/** Lost where nobody is connected at the moment. */
export async function notify(db: Db, channel: string, payloads: readonly string[]): Promise<void> {
  await rows(db, 'select pg_notify(:channel, p) from unnest(:payloads::text[]) p', {
    channel,
    payloads: [...payloads],
  });
}
