/** Concludes calls that are over: reads what the processing needs, and writes the findings and the webhook. */
import { randomUUID } from 'node:crypto';
import type { CallDirection } from '../../domain/call';
import type { AnsweredBy, EndReason, FinalCallStatus } from '../../domain/call-outcome';
import type { AnalysisMethod, TranscriptAnalysis } from '../../domain/analysis/types';
import type { TranscriptSegment } from '../../domain/transcript';
import type { EventDraft } from '../../domain/webhook-events';
import type { CallUsage } from './reports';
import type { Db } from '../kernel/connection';
import { PENDING_DELIVERY, type PendingDelivery } from '../webhooks/deliveries';
import { takeReceiverSlot, type ReceiverSlot } from '../webhooks/receiver-slots';
import { firstRow, onlyRow, prepared, timestamp } from '../kernel/query';
import { timedId } from '../kernel/timed-id';

export interface EndedCall {
  callId: string;
  organizationId: string;
  agentId: string;
  campaignId: string | null;
  campaignName: string | null;
  perCallWebhookUrl: string | null;
  direction: CallDirection;
  name: string | null;
  fromNumber: string | null;
  toNumber: string | null;
  callStatus: FinalCallStatus;
  endReason: EndReason;
  answeredBy: AnsweredBy | null;
  carrierId: string | null;
  askedAt: Date | null;
  answeredAt: Date | null;
  durationMs: number;
  /** For a callback, the last attempt before it. */
  attempt: number | null;
  isCallback: boolean;
  endedAt: Date;
  maxAttempts: number | null;
  willRetry: boolean;
  nextAttemptAt: Date | null;
  concludedAt: Date | null;
  agentConfig: unknown;
  modifyAgent: Record<string, unknown> | null;
  segments: TranscriptSegment[];
  variables: Record<string, unknown>;
  /** Usage that the agent reported; null if it reported none. */
  usage: CallUsage | null;
  callback: { at: number | null } | null;
  /** Answer of the language model; null if none was asked or none has answered. */
  modelAnswer: Record<string, unknown> | null;
  /** A language model was asked to analyse the call. */
  isAsked: boolean;
}

const LOAD_ENDED = prepared(
  'load_ended_call',
  `select k.call_id as "callId", k.organization_id as "organizationId", k.agent_id as "agentId", k.campaign_id as "campaignId", c.campaign_name as "campaignName",
       c.per_call_webhook_url as "perCallWebhookUrl", k.direction, k.name, k.from_number as "fromNumber", k.to_number as "toNumber", k.call_status as "callStatus",
       k.end_reason as "endReason", k.answered_by as "answeredBy", k.carrier_id as "carrierId", k.asked_at as "askedAt", k.answered_at as "answeredAt",
       k.duration_ms as "durationMs", coalesce(k.attempt, ct.attempts) as attempt,
       k.callback_of is not null as "isCallback", k.ended_at as "endedAt", c.max_attempts as "maxAttempts", k.will_retry as "willRetry",
       k.next_attempt_at as "nextAttemptAt", k.concluded_at as "concludedAt", f.config as "agentConfig",
       k.modify_agent as "modifyAgent", k.metadata as variables, r.usage,
       case when r.callback_asked_at is not null then
         jsonb_build_object('at', round(extract(epoch from r.callback_at) * 1000)) end as callback,
       m.answer as "modelAnswer", m.call_id is not null as "isAsked",
       coalesce((select jsonb_agg(jsonb_build_object('speaker', s.speaker, 'text', s.text, 'startMs', s.start_ms, 'endMs', s.end_ms)
                                  order by s.start_ms, s.speaker)
                 from call_segments s where s.call_id = k.call_id), '[]'::jsonb) as segments
     from calls k
     join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version
     join agent_configs f on f.id = v.config_id
     left join campaigns c on c.id = k.campaign_id
     left join contacts ct on ct.id = k.contact_id
     left join call_reports r on r.call_id = k.call_id
     left join call_analyses m on m.call_id = k.call_id
     where k.call_id = :callId and k.stage = 'over'`,
);

/** Loads a call with everything its processing needs. Returns undefined until the call is over. */
export function loadEndedCall(db: Db, callId: string): Promise<EndedCall | undefined> {
  return firstRow<EndedCall>(db, LOAD_ENDED, { callId });
}

export type CallFindings = Omit<TranscriptAnalysis, 'callbackAt'> & { method: AnalysisMethod };

/** The callback to schedule when the call is concluded. A call that was concluded before schedules none. */
export interface CallbackRequest {
  id: string;
  dueAt: number;
  /** Id of the new call if no campaign makes the callback; `dialUntil` is its deadline. */
  callId: string;
  dialUntil: number;
  /** Maximum number of callbacks in a row, each requested in the one before. */
  mostDepth: number;
  /** For an inbound call, the number to dial in E.164. */
  toNumber: string | null;
  /** Limits the callbacks of the number; null without a number. */
  cap: CallbackCap | null;
}

export interface CallbackCap {
  /** HMACs of the number in hex, one per valid key, the current key first. */
  hashes: string[];
  /** Maximum number of callbacks per UTC day. */
  mostPerDay: number;
}

/** A callback that is a call of its own. The caller must start its workflow. */
export interface ScheduledCallback {
  callId: string;
  dueAt: number;
  dialUntil: number;
}

export interface Conclusion {
  callId: string;
  organizationId: string;
  campaignId: string | null;
  /** Null for a call that wasn't answered, which stays `not_processed`. */
  findings: CallFindings | null;
  segments: TranscriptSegment[];
  /** For an inbound call, the caller's number in E.164. Default: null. */
  callerNumber?: string | null;
  /** The caller makes the first attempt before `attemptAt`; reconciliation may make it afterwards. Default: now. */
  webhook: { url: string; draft: EventDraft; attemptAt?: number } | null;
  callback: CallbackRequest | null;
  now: number;
}

export interface Concluded {
  /** The delivery to make; null for none. */
  delivery: PendingDelivery | null;
  /** Slot for the caller's attempt; null while all slots of the receiver are taken. */
  slot: ReceiverSlot | null;
  /** True for the run that concluded the call; only this run may make the delivery. */
  isFirst: boolean;
  callback: ScheduledCallback | null;
  /** Campaign to wake, because it has a callback to make or can end; null for none. */
  wakeCampaignId: string | null;
}

/** Writes the findings and the delivery in one statement. A repeated run changes nothing and returns no delivery. */
const SAVE = prepared(
  'save_conclusion',
  `
with concluded as (
  update calls set concluded_at = :now,
    post_processing_status = case when :findings::jsonb is null then post_processing_status else 'completed' end,
    summary = :findings::jsonb->>'summary', entity = :findings::jsonb->'entity', eval_tag = :findings::jsonb->>'evalTag',
    conversation_eval = :findings::jsonb->'conversationEval', conversation_quality = :findings::jsonb->'quality',
    tags = coalesce((select array_agg(t) from jsonb_array_elements_text(:findings::jsonb->'tags') t), '{}'),
    outcome = :findings::jsonb->>'outcome',
    callback_requested = coalesce((:findings::jsonb->>'callbackRequested')::boolean, false),
    do_not_call = coalesce((:findings::jsonb->>'doNotCall')::boolean, false),
    emitted_segments = emitted_segments + jsonb_array_length(:segments::jsonb)
  where call_id = :callId and concluded_at is null returning call_id, organization_id, do_not_call and medium = 'telephony' as is_to_list,
    case direction when 'Incoming' then case when from_number is not null then :callerNumber::text end else to_number end as remote_number, emitted_segments - jsonb_array_length(:segments::jsonb) as emitted_segments
), spoken as (
  insert into call_segments (call_id, start_ms, speaker, end_ms, text, seq)
  select concluded.call_id, s."startMs", s.speaker, s."endMs", s.text, emitted_segments + row_number() over (order by s."startMs", s.speaker)
  from concluded, jsonb_to_recordset(:segments::jsonb) as s(speaker text, text text, "startMs" integer, "endMs" integer)
  on conflict do nothing
), listed as (
  insert into dnd_numbers (organization_id, phone_number, source, added_at, asked_in_call)
  select organization_id, remote_number, 'asked for in a call', :now, call_id from concluded
  where is_to_list and remote_number is not null
  on conflict (organization_id, phone_number) do update set asked_in_call = excluded.asked_in_call
), judged as (
  -- From now on the findings are in the call's row.
  update call_analyses set method = :findings::jsonb->>'method', answer = null
  where call_id in (select call_id from concluded) and method is null
), delivery as (
  insert into webhook_deliveries (id, event_id, organization_id, campaign_id, call_id, event, url, body, created_at, next_attempt_at)
  select d.id, d.event_id, :organizationId, :campaignId::uuid, call_id, d.event, d.url, d.body, :now, :attemptAt
  from concluded, jsonb_to_record(:delivery::jsonb) as d(id uuid, event_id uuid, event text, url text, body text)
  where d.id is not null
  returning *
)
select made.*, exists (select 1 from concluded) as "isFirst",
  case when :attemptAt::timestamptz > :now::timestamptz then
    ${takeReceiverSlot('delivery', ':attemptAt')} end as "slotId",
  -- The end of the campaign's last contact is already committed, so at least the last call to be concluded sees it.
  exists (select 1 from campaigns where id = :campaignId::uuid and ended_at is null
    and completed_contacts + failed_contacts = total_contacts) as "isFinishing"
from (select 1) one left join (select ${PENDING_DELIVERY} from delivery d) made on true`,
);

/** A separate statement, because a look-up by call reads every month of the table and only repeated runs need it. */
const DELIVERY_OF = `select ${PENDING_DELIVERY} from webhook_deliveries d where d.call_id = :callId`;

/** Concludes the call in one transaction. A repeated run returns the result of the first one. */
export async function saveConclusion(db: Db, conclusion: Conclusion): Promise<Concluded> {
  const { callback, callId, now } = conclusion;
  if (callback === null) return { ...(await save(db, conclusion)), callback: null };
  return db.transaction(async (trx) => {
    const made = await scheduleCallback(trx, callId, callback, now);
    const saved = await save(trx, conclusion);
    if (made?.kind === 'contact') return { ...saved, callback: null, wakeCampaignId: conclusion.campaignId };
    return { ...saved, callback: made };
  });
}

type MadeCallback = ({ kind: 'call' } & ScheduledCallback) | { kind: 'contact' };

async function scheduleCallback(
  trx: Db,
  callId: string,
  { id, dueAt, dialUntil, ...request }: CallbackRequest,
  now: number,
): Promise<MadeCallback | null> {
  const { made } = await onlyRow<{
    made: { kind: 'contact' } | { kind: 'call'; callId: string; dueAt: string; dialUntil: string } | null;
  }>(trx, 'select schedule_callback(:callId, :request, :now) as made', {
    callId,
    request: JSON.stringify({ id, dueAt: timestamp(dueAt), dialUntil: timestamp(dialUntil), ...request }),
    now: timestamp(now),
  });
  if (made === null || made.kind === 'contact') return made;
  return { ...made, dueAt: Date.parse(made.dueAt), dialUntil: Date.parse(made.dialUntil) };
}

async function save(db: Db, conclusion: Conclusion): Promise<Omit<Concluded, 'callback'>> {
  const { webhook, now } = conclusion;
  const eventId = randomUUID();
  const attemptAt = webhook?.attemptAt ?? now;
  const delivery = webhook && {
    id: timedId(now),
    event_id: eventId,
    event: webhook.draft.event,
    url: webhook.url,
    body: JSON.stringify({ event: webhook.draft.event, event_id: eventId, ...webhook.draft.payload }),
  };
  const saved = await onlyRow<
    (PendingDelivery | { id: null }) & { isFirst: boolean; isFinishing: boolean; slotId: number | null }
  >(db, SAVE, {
    callId: conclusion.callId,
    organizationId: conclusion.organizationId,
    campaignId: conclusion.campaignId,
    findings: conclusion.findings === null ? null : JSON.stringify(conclusion.findings),
    segments: JSON.stringify(conclusion.segments),
    callerNumber: conclusion.callerNumber ?? null,
    delivery: delivery === null ? '{}' : JSON.stringify(delivery),
    attemptAt: timestamp(attemptAt),
    now: timestamp(conclusion.now),
  });
  const { isFirst, isFinishing, slotId, ...made } = saved;
  return {
    slot: slotId === null ? null : { id: slotId, until: attemptAt },
    delivery: isFirst ? (made.id === null ? null : made) : await deliveryOf(db, conclusion),
    isFirst,
    wakeCampaignId: isFinishing ? conclusion.campaignId : null,
  };
}

async function deliveryOf(db: Db, { callId, now }: Conclusion): Promise<PendingDelivery | null> {
  return (await firstRow<PendingDelivery>(db, DELIVERY_OF, { callId, now: timestamp(now) })) ?? null;
}
