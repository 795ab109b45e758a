/** Converts a campaign's terms from API names to stored names. */
import type { Campaign, StoredTerms } from '../../db/campaigns/campaigns';
import type { CampaignEdit } from './campaign-edit';
import { WEEK, type CampaignTerms } from './campaign-fields';

export function storedTerms(terms: CampaignTerms): StoredTerms {
  return {
    campaignName: terms.campaign_name,
    concurrency: terms.concurrency,
    fromDate: terms.from_date,
    toDate: terms.to_date,
    startMinute: terms.start_time,
    endMinute: terms.end_time,
    daysOfWeek: terms.days_of_week.join(','),
    maxAttempts: terms.max_retries,
    retryDelayMins: terms.retry_delay_mins,
    notificationEmails: terms.notification_emails,
    webhookUrl: terms.campaign_webhook_url,
    perCallWebhookUrl: terms.per_call_webhook_url,
  };
}

/** Returns the terms of a campaign as they would be after the edit. */
export function editedTerms(campaign: Campaign, edit: CampaignEdit): CampaignTerms {
  const days = campaign.daysOfWeek.split(',');
  return {
    campaign_name: campaign.campaignName,
    concurrency: campaign.concurrency,
    from_date: campaign.fromDate,
    to_date: campaign.toDate,
    start_time: campaign.startMinute,
    end_time: campaign.endMinute,
    days_of_week: WEEK.filter((day) => days.includes(day)),
    max_retries: campaign.maxAttempts,
    retry_delay_mins: campaign.retryDelayMins,
    notification_emails: campaign.notificationEmails,
    campaign_webhook_url: campaign.webhookUrl,
    per_call_webhook_url: campaign.perCallWebhookUrl,
    ...edit,
  };
}
