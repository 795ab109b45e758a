import type { Campaign } from '../../db/campaigns/campaigns';
import type { RecipientStanding } from '../../db/campaigns/completion-mails';
import { timeOfDay } from '../../domain/calling-window';
import { statsOf } from '../../domain/campaign-status';
import type {
  CampaignBody,
  CampaignDetailBody,
  CampaignListItemBody,
  CampaignStandingBody,
  UpdatedCampaignBody,
} from './resource';
import type { UrlSigner } from '../http/signed-url';
import { iso } from '../http/presenters/instant';

export const contactFilePath = (campaignId: string): string => `/api/campaigns/${campaignId}/file`;

const timeRange = (minute: number): string => `${timeOfDay(minute)}:00Z`;

export function presentCampaign(campaign: Campaign, signer: UrlSigner): CampaignBody {
  return {
    id: campaign.id,
    client_id: campaign.organizationId,
    agent_id: campaign.agentId,
    campaign_name: campaign.campaignName,
    excel_blob_url: signer.sign(contactFilePath(campaign.id)),
    campaign_status: campaign.status,
    contact_source_type: campaign.contactSourceType,
    days_of_week: campaign.daysOfWeek,
    time_range_from: timeRange(campaign.startMinute),
    time_range_to: timeRange(campaign.endMinute),
    max_retries: campaign.maxAttempts,
    retry_after_mins: campaign.retryDelayMins,
    call_concurrency: campaign.concurrency,
    start_date: `${campaign.fromDate}T00:00:00`,
    end_date: `${campaign.toDate}T23:59:59`,
    notification_emails: campaign.notificationEmails,
    webhook_url: campaign.webhookUrl,
    perform_dnd_check: campaign.performDndCheck,
    created_at: iso(campaign.createdAt),
    updated_at: iso(campaign.updatedAt),
  };
}

export function presentCampaignDetail(
  { recipients, ...campaign }: Campaign & { recipients: RecipientStanding[] },
  signer: UrlSigner,
): CampaignDetailBody {
  return {
    ...presentCampaign(campaign, signer),
    per_call_webhook_url: campaign.perCallWebhookUrl,
    stats: statsOf(campaign),
    status_reason: campaign.statusReason,
    completion_mails: recipients.map(({ email, status }) => ({ email, status })),
  };
}

export function presentCampaignListItem(campaign: Campaign): CampaignListItemBody {
  const stats = statsOf(campaign);
  return {
    id: campaign.id,
    campaign_name: campaign.campaignName,
    campaign_status: campaign.status,
    agent_id: campaign.agentId,
    call_concurrency: campaign.concurrency,
    total_leads: stats.total_calls,
    completed_calls: stats.completed,
    created_at: iso(campaign.createdAt),
    updated_at: iso(campaign.updatedAt),
  };
}

/** Response to resume, pause and cancel. */
export function presentCampaignStanding(
  campaign: Pick<Campaign, 'id' | 'campaignName' | 'status' | 'updatedAt'>,
): CampaignStandingBody {
  return {
    id: campaign.id,
    campaign_name: campaign.campaignName,
    campaign_status: campaign.status,
    updated_at: iso(campaign.updatedAt),
  };
}

export function presentUpdatedCampaign(campaign: Campaign): UpdatedCampaignBody {
  return {
    ...presentCampaignStanding(campaign),
    call_concurrency: campaign.concurrency,
    days_of_week: campaign.daysOfWeek,
    time_range_from: timeRange(campaign.startMinute),
    time_range_to: timeRange(campaign.endMinute),
  };
}
