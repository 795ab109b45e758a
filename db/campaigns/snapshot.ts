/** Guards a workflow's step against changes that a person makes to the campaign between the decision and the step. */
import type { StoredSchedule } from '../../domain/calling-window';
import type { CampaignStatus } from '../../domain/campaign-status';
import type { Db } from '../kernel/connection';
import { firstRow, rows } from '../kernel/query';

/** The fields that decide whether and when a campaign dials. */
export interface CampaignSnapshot extends StoredSchedule {
  status: CampaignStatus;
}

/** SQL columns of a CampaignSnapshot, from `campaigns c`. */
export const SNAPSHOT = `c.status, c.from_date as "fromDate", c.to_date as "toDate", c.start_minute as "startMinute", c.end_minute as "endMinute",
       c.days_of_week as "daysOfWeek"`;

/** Returns whether the step is still due according to the current snapshot. Runs while the campaign is locked. */
export type StepGuard = (snapshot: CampaignSnapshot) => boolean;

/** Lock order: organization, then campaign. */
export async function lockSnapshot(trx: Db, campaignId: string): Promise<CampaignSnapshot | undefined> {
  await rows(
    trx,
    'select 1 from organizations where id = (select organization_id from campaigns where id = :campaignId) for no key update',
    { campaignId },
  );
  return firstRow<CampaignSnapshot>(
    trx,
    `select ${SNAPSHOT} from campaigns c where c.id = :campaignId for no key update`,
    { campaignId },
  );
}
