/** What a campaign is to do may be changed by a person after its workflow decided on a step and before the step is taken. */
import type { StoredSchedule } from '../../workflows/domain/calling-window';
import type { CampaignStatus } from '../../workflows/domain/campaign-status';
import type { Db } from '../kernel/connection';
import { firstRow, rows } from '../kernel/query';

/** What says whether, and when, a campaign dials. */
export interface CampaignSnapshot extends StoredSchedule {
  status: CampaignStatus;
}

/** Decides under the campaign's lock: does the snapshot of now still call for the step that the workflow decided? */
export type StepGuard = (snapshot: CampaignSnapshot) => boolean;

/** Locks the client before the campaign, as everywhere. */
export async function lockSnapshot(trx: Db, campaignId: string): Promise<CampaignSnapshot | undefined> {
  await rows(
    trx,
    'select 1 from clients where id = (select client_id from campaigns where id = :campaignId) for no key update',
    { campaignId },
  );
  return firstRow<CampaignSnapshot>(
    trx,
    `select status, from_date as "fromDate", to_date as "toDate", start_minute as "startMinute", end_minute as "endMinute",
       days_of_week as "daysOfWeek" from campaigns where id = :campaignId for no key update`,
    { campaignId },
  );
}
