/** The bodies of the webhooks that clients receive, for the document. `workflows/domain/webhook-events.ts` makes them. */
import { about, list, nullable, object, optional, type Field } from '../schema/field';
import { constant, flag, id, integer, oneOf, text, timestamp } from '../schema/kinds';
import { campaignStats } from './campaign';

const ANNOUNCED = oneOf('active', 'paused', 'completed', 'cancelled');

const EVENT = { event_id: about(id(), 'The same in every retry and redelivery: drop what was seen') };

const STATUS = {
  ...EVENT,
  campaign_id: id(),
  campaign_name: text(),
  old_status: about(ANNOUNCED, 'The last that was announced'),
  new_status: ANNOUNCED,
  timestamp: timestamp(),
  stats: campaignStats,
};

const END = { ...STATUS, started_at: timestamp(), ended_at: timestamp() };

const CALL = {
  ...EVENT,
  call_id: text(),
  campaign_id: id(),
  campaign_name: text(),
  contact: object({ name: text(), phone: about(text(), 'E.164') }),
  call_status: about(text(), 'As in the call history'),
  call_duration_seconds: about(integer(0), 'Of talk'),
  call_outcome: about(text(), 'The business result, else call_status'),
  call_tags: list(text()),
  transcript: about(text(), 'Lines prefixed AGENT: and USER:; empty for a call that was not answered'),
  summary: text(),
  timestamp: timestamp(),
  is_callback: optional(
    about(flag(), 'true on a call that the person had asked for in an earlier one; else absent'),
  ),
};

const MISSED = {
  ...CALL,
  attempt: about(integer(1), 'Which dial of the contact this was; of a callback the last before it'),
  max_attempts: integer(1),
  failure_reason: text(),
  will_retry: about(flag(), 'Whether the contact is dialled again'),
  next_attempt_at: nullable(timestamp()),
};

export interface WebhookEvent {
  summary: string;
  body: Field<unknown>;
}

/** By the event's name. */
export const webhookEvents: Readonly<Record<string, WebhookEvent>> = {
  'campaign.status_changed': {
    summary: "A campaign's status changed, to campaign_webhook_url",
    body: object({
      event: constant('campaign.status_changed'),
      ...STATUS,
      status_reason: optional(about(text(), 'Why a brake paused it; absent where a person did')),
    }),
  },
  'campaign.completed': {
    summary: 'All contacts of a campaign are finished, to campaign_webhook_url',
    body: object({ event: constant('campaign.completed'), ...END }),
  },
  'campaign.cancelled': {
    summary: 'A campaign was cancelled and its last call is over, to campaign_webhook_url',
    body: object({ event: constant('campaign.cancelled'), ...END }),
  },
  'call.completed': {
    summary: 'A call was answered and processed, to per_call_webhook_url',
    body: object({ event: constant('call.completed'), ...CALL }),
  },
  'call.no_answer': {
    summary: 'A contact did not answer, to per_call_webhook_url',
    body: object({ event: constant('call.no_answer'), ...MISSED }),
  },
  'call.failed': {
    summary: 'A call attempt failed, to per_call_webhook_url',
    body: object({ event: constant('call.failed'), ...MISSED }),
  },
};
