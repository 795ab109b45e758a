/** What is read and written once a call is over: its record, and the webhook that tells of it. */
import { randomUUID } from 'node:crypto';
import type { EventDraft } from './campaign-status';
import type { Db } from './connection';
import { PENDING_DELIVERY, type PendingDelivery } from './deliveries';
import { firstRow, rows, timestamp } from './query';

export interface TranscriptSegment {
  speaker: 'agent' | 'user';
  text: string;
  startMs: number;
  endMs: number;
}

export interface EndedCall {
  callId: string;
  clientId: string;
  campaignId: string | null;
  campaignName: string | null;
  perCallWebhookUrl: string | null;
  name: string | null;
  toNumber: string | null;
  callStatus: string;
  endReason: string;
  answeredBy: string | null;
  carrierId: string | null;
  askedAt: Date | null;
  answeredAt: Date | null;
  durationMs: number;
  attempt: number | null;
  maxAttempts: number | null;
  willRetry: boolean;
  nextAttemptAt: Date | null;
  concludedAt: Date | null;
  agentConfig: unknown;
  modifyAgent: Record<string, unknown> | null;
  segments: TranscriptSegment[];
}

/** A call that is over, with everything its processing needs. Undefined while it is not over. */
export function loadEndedCall(db: Db, callId: string): Promise<EndedCall | undefined> {
  return firstRow<EndedCall>(
    db,
    `select k.call_id as "callId", k.client_id as "clientId", k.campaign_id as "campaignId", c.campaign_name as "campaignName",
       c.per_call_webhook_url as "perCallWebhookUrl", k.name, k.to_number as "toNumber", k.call_status as "callStatus",
       k.end_reason as "endReason", k.answered_by as "answeredBy", k.carrier_id as "carrierId", k.asked_at as "askedAt", k.answered_at as "answeredAt",
       k.duration_ms as "durationMs", k.attempt, c.max_retries as "maxAttempts", k.will_retry as "willRetry",
       k.next_attempt_at as "nextAttemptAt", k.concluded_at as "concludedAt", v.config as "agentConfig",
       k.modify_agent as "modifyAgent",
       coalesce((select jsonb_agg(jsonb_build_object('speaker', s.speaker, 'text', s.text, 'startMs', s.start_ms, 'endMs', s.end_ms)
                                  order by s.start_ms, s.speaker)
                 from call_segments s where s.call_id = k.call_id), '[]'::jsonb) as segments
     from calls k
     join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version
     left join campaigns c on c.id = k.campaign_id
     where k.call_id = :callId and k.stage = 'over'`,
    { callId },
  );
}

export interface CallFindings {
  summary: string;
  entity: Record<string, unknown>;
  evalTag: string | null;
  conversationEval: Record<string, unknown>;
  quality: Record<string, unknown>;
  tags: string[];
  outcome: string;
  callbackRequested: boolean;
}

export interface Conclusion {
  callId: string;
  clientId: string;
  campaignId: string | null;
  /** Null for a call that was not answered: it stays `not_processed`. */
  findings: CallFindings | null;
  segments: TranscriptSegment[];
  webhook: { url: string; draft: EventDraft } | null;
  now: number;
}

/**
 * Writes the findings and the delivery in one statement, once: run again it changes nothing and answers the delivery of the first run.
 */
const SAVE = `
with concluded as (
  update calls set concluded_at = :now,
    post_processing_status = case when :findings::jsonb is null then post_processing_status else 'completed' end,
    summary = :findings::jsonb->>'summary', entity = :findings::jsonb->'entity', eval_tag = :findings::jsonb->>'evalTag',
    conversation_eval = :findings::jsonb->'conversationEval', conversation_quality = :findings::jsonb->'quality',
    tags = coalesce((select array_agg(t) from jsonb_array_elements_text(:findings::jsonb->'tags') t), '{}'),
    outcome = :findings::jsonb->>'outcome',
    callback_requested = coalesce((:findings::jsonb->>'callbackRequested')::boolean, false)
  where call_id = :callId and concluded_at is null returning call_id
), spoken as (
  insert into call_segments (call_id, start_ms, speaker, end_ms, text)
  select concluded.call_id, s."startMs", s.speaker, s."endMs", s.text
  from concluded, jsonb_to_recordset(:segments::jsonb) as s(speaker text, text text, "startMs" integer, "endMs" integer)
  on conflict do nothing
), delivery as (
  insert into webhook_deliveries (id, event_id, client_id, campaign_id, call_id, event, url, body, created_at, next_attempt_at)
  select d.id, d.event_id, :clientId, :campaignId::uuid, call_id, d.event, d.url, d.body, :now, :now
  from concluded, jsonb_to_record(:delivery::jsonb) as d(id uuid, event_id uuid, event text, url text, body text)
  where d.id is not null
  returning *
)
select ${PENDING_DELIVERY} from delivery d
union all
select ${PENDING_DELIVERY} from webhook_deliveries d where d.call_id = :callId and not exists (select 1 from concluded)`;

/** The delivery to make, null when there is none. */
export async function saveConclusion(db: Db, conclusion: Conclusion): Promise<PendingDelivery | null> {
  const eventId = randomUUID();
  const { webhook } = conclusion;
  const delivery = webhook && {
    id: randomUUID(),
    event_id: eventId,
    event: webhook.draft.event,
    url: webhook.url,
    body: JSON.stringify({ event: webhook.draft.event, event_id: eventId, ...webhook.draft.payload }),
  };
  const [delivered] = await rows<PendingDelivery>(db, SAVE, {
    callId: conclusion.callId,
    clientId: conclusion.clientId,
    campaignId: conclusion.campaignId,
    findings: conclusion.findings === null ? null : JSON.stringify(conclusion.findings),
    segments: JSON.stringify(conclusion.segments),
    delivery: delivery === null ? '{}' : JSON.stringify(delivery),
    now: timestamp(conclusion.now),
  });
  return delivered ?? null;
}
