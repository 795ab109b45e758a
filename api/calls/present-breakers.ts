import type { OwnBreakers } from '../../db/campaigns/breakers';
import type { ApiSettings } from '../settings';
import type { LimitsBody } from './resource';

/** Returns the effective limits: the organization's own, with the configured ones as defaults. */
export const presentBreakers = (
  { campaignSpendPerDay, spendPerDay, failureRate, spentToday }: OwnBreakers & { spentToday: number },
  configured: ApiSettings['spendPerDay'],
): LimitsBody['breakers'] => ({
  campaign_spend_per_day: limitOf(campaignSpendPerDay ?? configured.perCampaign),
  spend_per_day: limitOf(spendPerDay ?? configured.perOrganization),
  spent_today: spentToday,
  failure_rate: failureRate,
});

/** 0 means unlimited. */
const limitOf = (credits: number): number | null => (credits === 0 ? null : credits);
