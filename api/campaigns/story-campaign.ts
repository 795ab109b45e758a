import type { Campaign } from '../../db/campaigns';
import { WEEKDAYS } from '../../workflows/domain/calling-window';
import type { StoryCampaign } from '../../workflows/domain/contact-story';

/** What of a campaign its contacts' stories depend on. */
export function storyCampaign(campaign: Campaign): StoryCampaign {
  const { status, statusReason, maxRetries, retryAfterMins, fromDate, toDate, startMinute, endMinute } =
    campaign;
  const days = campaign.daysOfWeek.split(',');
  const daysOfWeek = WEEKDAYS.filter((day) => days.includes(day));
  return {
    status,
    statusReason,
    maxAttempts: maxRetries,
    retryDelayMins: retryAfterMins,
    schedule: { fromDate, toDate, startMinute, endMinute, daysOfWeek },
  };
}
