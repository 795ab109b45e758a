/** The bodies of webhook events, but for `event_id`, which is given where they are written down. */
import { isAnnounced, statsOf, type CampaignStatus } from './campaign-status';
import type { CallEvent } from './call-outcome';

export interface CampaignEventSource {
  id: string;
  campaignName: string;
  /** The last of the four statuses that a webhook named. */
  announcedStatus: string;
  total: number;
  completed: number;
  inProgress: number;
  failed: number;
  createdAt: Date;
}

export interface EventDraft {
  event: string;
  payload: Record<string, unknown>;
}

const iso = (ms: number): string => new Date(ms).toISOString();

function statusPayload(
  campaign: CampaignEventSource,
  newStatus: CampaignStatus,
  now: number,
): Record<string, unknown> {
  return {
    campaign_id: campaign.id,
    campaign_name: campaign.campaignName,
    old_status: campaign.announcedStatus,
    new_status: newStatus,
    timestamp: iso(now),
    stats: statsOf(campaign),
  };
}

/** `reason` of a pause that nobody asked for. None for a status that is not announced, and none when nothing changed for the receiver (active → scheduled → active). */
export function statusChangedEvents(
  campaign: CampaignEventSource,
  newStatus: CampaignStatus,
  now: number,
  reason: string | null = null,
): EventDraft[] {
  if (!isAnnounced(newStatus) || newStatus === campaign.announcedStatus) return [];
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

/** The last event of a campaign, once nothing of it is live. */
export function campaignEndedEvent(
  campaign: CampaignEventSource,
  status: 'completed' | 'cancelled',
  now: number,
): EventDraft {
  return {
    event: status === 'completed' ? 'campaign.completed' : 'campaign.cancelled',
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
  contactPhone: string;
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
}

export function callEvent(event: CallEvent, call: CallEventSource, now: number): EventDraft {
  const base = {
    call_id: call.callId,
    campaign_id: call.campaignId,
    campaign_name: call.campaignName,
    contact: { name: call.contactName, phone: call.contactPhone },
    call_status: call.callStatus,
    call_duration_seconds: Math.round(call.durationMs / 1000),
    call_outcome: call.outcome ?? call.callStatus,
    call_tags: call.tags,
    transcript: call.transcript,
    summary: call.summary,
    timestamp: iso(now),
    ...(call.isCallback && { is_callback: true }),
  };
  if (event === 'call.completed') return { event, payload: base };
  return {
    event,
    payload: {
      ...base,
      attempt: call.attempt,
      max_attempts: call.maxAttempts,
      failure_reason: call.endReason,
      will_retry: call.willRetry,
      next_attempt_at: call.nextAttemptAt?.toISOString() ?? null,
    },
  };
}
