import type { Campaign } from '../../db/campaigns/campaigns';
import { scheduleOf } from '../../domain/calling-window';
import type { StoryCampaign } from '../../domain/contact-story';

/** Returns the parts of a campaign that its contacts' stories depend on. */
export function storyCampaign(campaign: Campaign): StoryCampaign {
  const { status, statusReason, maxAttempts, retryDelayMins } = campaign;
  return { status, statusReason, maxAttempts, retryDelayMins, schedule: scheduleOf(campaign) };
}
