/** Analyses of calls by a language model, from the request until the call is concluded. */
import type { TranscriptSegment } from '../../domain/transcript';
import type { PricedModel } from './reports';
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';

/** Why an attempt failed. One of a few fixed words, because a server's error message can contain personal data. */
export type AnalysisFailure = 'unavailable' | 'refused' | 'invalid';

/**
 * Marks the call as being processed and stores its transcript, because the model can take minutes. Does nothing if the call is concluded.
 * Safe to repeat.
 */
export async function requestAnalysis(
  db: Db,
  request: { callId: string; segments: readonly TranscriptSegment[]; now: number; checkAt: number },
): Promise<void> {
  await rows(
    db,
    `with processed as (
       update calls set post_processing_status = 'processing', emitted_segments = emitted_segments + jsonb_array_length(:segments::jsonb)
       where call_id = :callId and stage = 'over' and concluded_at is null
       returning call_id, emitted_segments - jsonb_array_length(:segments::jsonb) as emitted_segments
     ), spoken as (
       insert into call_segments (call_id, start_ms, speaker, end_ms, text, seq)
       select processed.call_id, s."startMs", s.speaker, s."endMs", s.text, emitted_segments + row_number() over (order by s."startMs", s.speaker)
       from processed, jsonb_to_recordset(:segments::jsonb) as s(speaker text, text text, "startMs" integer, "endMs" integer)
       on conflict do nothing
     )
     insert into call_analyses (call_id, requested_at, check_at) select call_id, :now, :checkAt from processed on conflict do nothing`,
    {
      callId: request.callId,
      segments: JSON.stringify(request.segments),
      now: timestamp(request.now),
      checkAt: timestamp(request.checkAt),
    },
  );
}

/** Stores the model's answer unless one is already stored. */
export async function saveAnswer(
  db: Db,
  {
    callId,
    answer,
    model,
    usage,
  }: { callId: string; answer: object; model: string; usage: readonly PricedModel[] },
): Promise<void> {
  await rows(
    db,
    `update call_analyses a set answer = :answer, model = :model, usage = :usage, failure = null
     where call_id = :callId and answer is null
       and exists (select 1 from calls k where k.call_id = a.call_id and k.concluded_at is null)`,
    { callId, answer: JSON.stringify(answer), model, usage: JSON.stringify(usage) },
  );
}

/** `usage` includes failed requests, because they cost money too. */
export async function noteFailure(
  db: Db,
  { callId, failure, usage }: { callId: string; failure: AnalysisFailure; usage: readonly PricedModel[] },
): Promise<void> {
  await rows(
    db,
    `update call_analyses set failure = :failure, usage = case when :usage::jsonb = '[]'::jsonb then usage else :usage::jsonb end
     where call_id = :callId and answer is null`,
    { callId, failure, usage: JSON.stringify(usage) },
  );
}

/** Sets when reconciliation checks the analysis again. */
export async function checkAgainAt(db: Db, callId: string, at: number): Promise<void> {
  await rows(db, 'update call_analyses set check_at = :at where call_id = :callId', {
    callId,
    at: timestamp(at),
  });
}
