/**
 * Webhook events. The types of the builders below, the OpenAPI schemas (`api/http/openapi/document.ts`) and the tables in
 * `docs/webhooks.md` (`npm run pages`) are derived from these tables.
 */
import { assertNever } from './assert-never';
import {
  REPORTED_STATUSES,
  CAMPAIGN_STATS,
  isNotified,
  statsOf,
  type ReportedStatus,
  type CampaignStatus,
  type FinalCampaignStatus,
} from './campaign-status';
import type { ObjectOf, Shapes } from './shape';

interface EventDescription {
  /** When the event is emitted. */
  when: string;
  /** The campaign's field that holds the URL. */
  to: 'campaign_webhook_url' | 'per_call_webhook_url';
  /** The body without `event` and `event_id`. */
  fields: Shapes;
}

/** Fields of every event in addition to `event`. */
export const COMMON_FIELDS = {
  event_id: {
    type: 'id',
    meaning: 'The same in every retry and redelivery; ignore an id that you have seen',
  },
} as const satisfies Shapes;

const STATUS = {
  campaign_id: { type: 'id' },
  campaign_name: { type: 'text' },
  old_status: { type: 'word', of: REPORTED_STATUSES, meaning: 'The last status that a webhook reported' },
  new_status: { type: 'word', of: REPORTED_STATUSES },
  timestamp: { type: 'timestamp' },
  stats: CAMPAIGN_STATS,
} as const satisfies Shapes;

const END = {
  ...STATUS,
  started_at: { type: 'timestamp' },
  ended_at: { type: 'timestamp' },
} as const satisfies Shapes;

const CALL = {
  call_id: { type: 'text' },
  campaign_id: { type: 'id' },
  campaign_name: { type: 'text' },
  contact: {
    type: 'object',
    fields: { name: { type: 'text' }, phone: { type: 'text', meaning: 'E.164' } },
  },
  call_status: { type: 'text', meaning: 'As in the call history' },
  call_duration_seconds: { type: 'integer', min: 0, meaning: 'Duration of the conversation' },
  call_outcome: { type: 'text', meaning: 'The business result, or `call_status` if there is none' },
  call_tags: { type: 'texts' },
  transcript: {
    type: 'text',
    meaning: 'Lines prefixed with `AGENT:` and `USER:`; empty if the call was not answered',
  },
  summary: { type: 'text' },
  timestamp: { type: 'timestamp' },
  is_callback: {
    type: 'flag',
    optional: true,
    meaning: '`true` for a callback that the person requested in an earlier call; otherwise absent',
  },
  do_not_call: {
    type: 'flag',
    optional: true,
    meaning: '`true` if the person opted out of calls; otherwise absent',
  },
} as const satisfies Shapes;

const MISSED = {
  ...CALL,
  attempt: {
    type: 'integer',
    min: 1,
    meaning: "Number of the contact's dial; for a callback, the last dial before it",
  },
  max_attempts: { type: 'integer', min: 1 },
  failure_reason: { type: 'text' },
  will_retry: { type: 'flag', meaning: 'Whether the contact is dialled again' },
  next_attempt_at: { type: 'timestamp', nullable: true },
} as const satisfies Shapes;

export const WEBHOOK_EVENTS = {
  'campaign.status_changed': {
    when: "A campaign's status changed",
    to: 'campaign_webhook_url',
    fields: {
      ...STATUS,
      status_reason: {
        type: 'text',
        optional: true,
        meaning: 'Why the campaign was paused automatically; absent if a person paused it',
      },
    },
  },
  'campaign.completed': {
    when: 'All contacts of a campaign are finished',
    to: 'campaign_webhook_url',
    fields: END,
  },
  'campaign.cancelled': {
    when: 'A campaign was cancelled and its last call is over',
    to: 'campaign_webhook_url',
    fields: END,
  },
  'call.completed': {
    when: 'A call was answered and processed',
    to: 'per_call_webhook_url',
    fields: CALL,
  },
  'call.no_answer': {
    when: 'A contact did not answer',
    to: 'per_call_webhook_url',
    fields: MISSED,
  },
  'call.failed': {
    when: 'A call attempt failed',
    to: 'per_call_webhook_url',
    fields: MISSED,
  },
} as const satisfies Readonly<Record<string, EventDescription>>;

export type WebhookEventName = keyof typeof WEBHOOK_EVENTS;
export type CallEvent = Extract<WebhookEventName, `call.${string}`>;

/** An event before it is stored and receives its `event_id`. */
export type EventDraft<Name extends WebhookEventName = WebhookEventName> = {
  [Each in Name]: { event: Each; payload: ObjectOf<(typeof WEBHOOK_EVENTS)[Each]['fields']> };
}[Name];

export interface CampaignEventSource {
  id: string;
  campaignName: string;
  /** The last status that a webhook reported. */
  reportedStatus: ReportedStatus;
  total: number;
  completed: number;
  inProgress: number;
  failed: number;
  createdAt: Date;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const statusPayload = (
  campaign: CampaignEventSource,
  newStatus: ReportedStatus,
  now: number,
): ObjectOf<typeof STATUS> => ({
  campaign_id: campaign.id,
  campaign_name: campaign.campaignName,
  old_status: campaign.reportedStatus,
  new_status: newStatus,
  timestamp: iso(now),
  stats: statsOf(campaign),
});

/**
 * Returns no event if receivers don't get this status, or if it equals the last one reported (active → scheduled → active). `reason`
 * explains an automatic pause.
 */
export function statusChangedEvents(
  campaign: CampaignEventSource,
  newStatus: CampaignStatus,
  now: number,
  reason: string | null = null,
): EventDraft<'campaign.status_changed'>[] {
  if (!isNotified(newStatus) || newStatus === campaign.reportedStatus) return [];
  return [
    {
      event: 'campaign.status_changed',
      payload: {
        ...statusPayload(campaign, newStatus, now),
        ...(reason !== null && { status_reason: reason }),
      },
    },
  ];
}

/** Creates the last event of a campaign, after its last call is over. */
export function campaignEndedEvent(
  campaign: CampaignEventSource,
  status: FinalCampaignStatus,
  now: number,
): EventDraft<`campaign.${FinalCampaignStatus}`> {
  return {
    event: `campaign.${status}`,
    payload: {
      ...statusPayload(campaign, status, now),
      started_at: campaign.createdAt.toISOString(),
      ended_at: iso(now),
    },
  };
}

export interface CallEventSource {
  callId: string;
  campaignId: string;
  campaignName: string;
  contactName: string;
  toNumber: string;
  callStatus: string;
  endReason: string;
  durationMs: number;
  attempt: number;
  maxAttempts: number;
  willRetry: boolean;
  nextAttemptAt: Date | null;
  outcome: string | null;
  tags: string[];
  transcript: string;
  summary: string;
  isCallback: boolean;
  doNotCall: boolean;
}

export function callEvent(event: CallEvent, call: CallEventSource, now: number): EventDraft<CallEvent> {
  switch (event) {
    case 'call.completed':
      return { event, payload: callPayload(call, now) };
    case 'call.no_answer':
    case 'call.failed':
      return {
        event,
        payload: {
          ...callPayload(call, now),
          attempt: call.attempt,
          max_attempts: call.maxAttempts,
          failure_reason: call.endReason,
          will_retry: call.willRetry,
          next_attempt_at: call.nextAttemptAt?.toISOString() ?? null,
        },
      };
    default:
      return assertNever(event);
  }
}

const callPayload = (call: CallEventSource, now: number): ObjectOf<typeof CALL> => ({
  call_id: call.callId,
  campaign_id: call.campaignId,
  campaign_name: call.campaignName,
  contact: { name: call.contactName, phone: call.toNumber },
  call_status: call.callStatus,
  call_duration_seconds: Math.round(call.durationMs / 1000),
  call_outcome: call.outcome ?? call.callStatus,
  call_tags: call.tags,
  transcript: call.transcript,
  summary: call.summary,
  timestamp: iso(now),
  ...(call.isCallback && { is_callback: true }),
  ...(call.doNotCall && { do_not_call: true }),
});
