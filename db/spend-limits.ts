import type { Db } from './connection';
import { onlyRow } from './query';

/** Credits that a UTC day may cost. Null where the configured limit holds, 0 for no limit. */
export interface SpendLimits {
  perCampaign: number | null;
  perClient: number | null;
}

/** The organisation's own. */
export function spendLimitsOf(db: Db, clientId: string): Promise<SpendLimits> {
  return onlyRow<SpendLimits>(
    db,
    `select campaign_spend_per_day::float as "perCampaign", spend_per_day::float as "perClient" from clients where id = :clientId`,
    { clientId },
  );
}
