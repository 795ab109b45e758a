/** The agent's reports on a call: models used, response times and callback requests. */
import type { AnalysisMethod } from '../../domain/analysis/types';
import type { ModelPurpose, ModelUsage } from '../../domain/usage-cost';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';

/** Usage of one model in one call. `cost` uses the rates of that time. Null if the model had no rate. */
export interface PricedModel extends ModelUsage {
  purpose: ModelPurpose;
  cost: number | null;
}

export interface CallUsage {
  models: PricedModel[];
  /** Time from the end of each of the user's turns to the agent's first sound. */
  responseMs: number[];
  interruptions: number;
}

/** Ignores unknown calls. The report with the latest `reportedAt` wins, regardless of the order of arrival. */
export async function recordUsage(
  db: Db,
  callId: string,
  usage: CallUsage,
  reportedAt: string,
): Promise<void> {
  await rows(
    db,
    `insert into call_reports (call_id, usage, usage_at) select call_id, :usage, :reportedAt from calls where call_id = :callId
     on conflict (call_id) do update set usage = excluded.usage, usage_at = excluded.usage_at
       where call_reports.usage_at is null or call_reports.usage_at <= excluded.usage_at`,
    { callId, usage: JSON.stringify(usage), reportedAt },
  );
}

/** Records that the agent requested a callback. If the call is concluded, the request has no effect. */
export async function recordCallbackWish(
  db: Db,
  callId: string,
  { at, reportedAt }: { at: number | null; reportedAt: string },
): Promise<void> {
  await rows(
    db,
    `insert into call_reports (call_id, callback_requested_at, callback_at) select call_id, :reportedAt, :at from calls where call_id = :callId
     on conflict (call_id) do update set callback_requested_at = excluded.callback_requested_at, callback_at = excluded.callback_at
       where call_reports.callback_requested_at is null or call_reports.callback_requested_at <= excluded.callback_requested_at`,
    { callId, reportedAt, at: at === null ? null : timestamp(at) },
  );
}

export interface CallFigures {
  /** Models of the conversation and of its analysis. */
  models: PricedModel[];
  /** Method that produced the findings; null if no model was used. */
  method: AnalysisMethod | null;
}

export async function figuresOf(db: Db, callId: string): Promise<CallFigures> {
  const row = await firstRow<CallFigures>(
    db,
    `select coalesce(r.usage->'models', '[]'::jsonb) || coalesce(m.usage, '[]'::jsonb) as models, m.method
     from (select :callId::text as call_id) one
     left join call_reports r using (call_id) left join call_analyses m using (call_id)`,
    { callId },
  );
  return row ?? { models: [], method: null };
}
