/** Concludes calls that are over: loads the data for processing them, and writes the findings and the webhook. */
import { randomUUID } from 'node:crypto';
import type { CallDirection } from '../../domain/call';
import type { AnsweredBy, EndReason, FinalCallStatus } from '../../domain/call-outcome';
import type { AnalysisMethod, TranscriptAnalysis } from '../../domain/analysis/types';
import type { TranscriptSegment } from '../../domain/transcript';
import type { EventDraft } from '../../domain/webhook-events';
import type { CallUsage } from './reports';
import type { Db } from '../kernel/connection';
import { PENDING_DELIVERY, type PendingDelivery } from '../webhooks/deliveries';
import { MAX_AT_ONCE, type ReceiverSlot } from '../webhooks/receiver-slots';
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
  requestedAt: Date | null;
  answeredAt: Date | null;
  durationMs: number;
  /** For a callback, the number of the attempt before it. */
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
  /** Usage that the agent reported. Null if it reported none. */
  usage: CallUsage | null;
  callback: { at: number | null } | null;
  /** Null if no language model analyses the call, or if it hasn't answered. */
  modelAnswer: Record<string, unknown> | null;
  /** A language model analyses the call. */
  isAsked: boolean;
}

const LOAD_ENDED = prepared(
  'load_ended_call',
  `select k.call_id as "callId", k.organization_id as "organizationId", k.agent_id as "agentId", k.campaign_id as "campaignId", c.campaign_name as "campaignName",
       c.per_call_webhook_url as "perCallWebhookUrl", k.direction, k.name, k.from_number as "fromNumber", k.to_number as "toNumber", k.call_status as "callStatus",
       k.end_reason as "endReason", k.answered_by as "answeredBy", k.carrier_id as "carrierId", k.requested_at as "requestedAt", k.answered_at as "answeredAt",
       k.duration_ms as "durationMs", coalesce(k.attempt, ct.attempts) as attempt,
       k.callback_of is not null as "isCallback", k.ended_at as "endedAt", c.max_attempts as "maxAttempts", k.will_retry as "willRetry",
       k.next_attempt_at as "nextAttemptAt", k.concluded_at as "concludedAt", f.config as "agentConfig",
       k.modify_agent as "modifyAgent", k.metadata as variables, r.usage,
       case when r.callback_requested_at is not null then
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

/** The callback to schedule when the call is concluded. Ignored if the call is already concluded. */
export interface CallbackRequest {
  id: string;
  dueAt: number;
  /** Id of the new call if no campaign makes the callback. `dialUntil` is its deadline. */
  callId: string;
  dialUntil: number;
  /** Maximum number of callbacks in a row, each requested during the one before. */
  maxDepth: number;
  /** For an inbound call, the number to dial in E.164. */
  toNumber: string | null;
  /** Limits callbacks to the number. Null if there is no number. */
  cap: CallbackCap | null;
}

export interface CallbackCap {
  /** HMACs of the number in hex, one per valid key, the current key first. */
  hashes: string[];
  /** Maximum number of callbacks per UTC day. */
  maxPerDay: number;
}

/** A callback that is dialled as a new call outside any campaign. The worker must start its workflow. */
export interface ScheduledCallback {
  callId: string;
  dueAt: number;
  dialUntil: number;
}

export interface Conclusion {
  callId: string;
  /** Null for a call that wasn't answered, which stays `not_processed`. */
  findings: CallFindings | null;
  segments: TranscriptSegment[];
  /** For an inbound call, the caller's number in E.164. Default: null. */
  callerNumber?: string | null;
  /**
   * The activity that concludes the call makes the first attempt before `attemptAt`. After that, reconciliation can make it. Default: now.
   */
  webhook: { url: string; draft: EventDraft; attemptAt?: number } | null;
  callback: CallbackRequest | null;
  now: number;
}

export interface Concluded {
  /** The delivery to make. Null if there is none. */
  delivery: PendingDelivery | null;
  /** Receiver slot for the first attempt. Null while all slots are taken. */
  slot: ReceiverSlot | null;
  /** True for the run that concluded the call; only this run may make the delivery. */
  isFirst: boolean;
  callback: ScheduledCallback | null;
  /** Campaign to wake, because it has a callback to make or can end. Null if there is none. */
  wakeCampaignId: string | null;
}

const CONCLUDE = prepared(
  'conclude_call',
  `select ${PENDING_DELIVERY}, c.is_first as "isFirst", c.slot_id as "slotId", c.callback, c.wake_campaign_id as "wakeCampaignId"
   from
     conclude_call(:callId, :conclusion, ${MAX_AT_ONCE}, :now) c
     left join lateral (select (c.delivery).*) d on true`,
);

/** A separate statement, because it reads every month of the table and only a retry needs it. */
const DELIVERY_OF = `select ${PENDING_DELIVERY} from webhook_deliveries d where d.call_id = :callId`;

/** A retry changes nothing and returns the first run's delivery. */
export async function concludeCall(db: Db, conclusion: Conclusion): Promise<Concluded> {
  const { callId, findings, segments, webhook, now } = conclusion;
  const attemptAt = webhook?.attemptAt ?? now;
  const { isFirst, slotId, callback, wakeCampaignId, ...made } = await onlyRow<
    (PendingDelivery | { id: null }) & {
      isFirst: boolean;
      slotId: number | null;
      callback: { callId: string; dueAt: string; dialUntil: string } | null;
      wakeCampaignId: string | null;
    }
  >(db, CONCLUDE, {
    callId,
    conclusion: JSON.stringify({
      findings,
      segments,
      callerNumber: conclusion.callerNumber ?? null,
      delivery: webhook && deliveryOf(webhook.url, webhook.draft, now),
      attemptAt: timestamp(attemptAt),
      callback: conclusion.callback && storedRequest(conclusion.callback),
    }),
    now: timestamp(now),
  });
  const delivery = isFirst
    ? made.id === null
      ? null
      : made
    : ((await firstRow<PendingDelivery>(db, DELIVERY_OF, { callId, now: timestamp(now) })) ?? null);
  return {
    delivery,
    slot: slotId === null ? null : { id: slotId, until: attemptAt },
    isFirst,
    callback: callback && {
      callId: callback.callId,
      dueAt: Date.parse(callback.dueAt),
      dialUntil: Date.parse(callback.dialUntil),
    },
    wakeCampaignId,
  };
}

function deliveryOf(url: string, { event, payload }: EventDraft, now: number) {
  const eventId = randomUUID();
  return {
    id: timedId(now),
    eventId,
    event,
    url,
    body: JSON.stringify({ event, event_id: eventId, ...payload }),
  };
}

const storedRequest = ({ dueAt, dialUntil, ...request }: CallbackRequest) => ({
  ...request,
  dueAt: timestamp(dueAt),
  dialUntil: timestamp(dialUntil),
});
