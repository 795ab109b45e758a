/** What a campaign is to do may be changed by a person after its workflow decided on a step and before the step is taken. */
import type { StoredSchedule } from '../../domain/calling-window';
import type { CampaignStatus } from '../../domain/campaign-status';
import type { Db } from '../kernel/connection';
import { firstRow, rows } from '../kernel/query';

/** What says whether, and when, a campaign dials. */
export interface CampaignSnapshot extends StoredSchedule {
  status: CampaignStatus;
}

/** Its columns, of `campaigns c`. */
export const SNAPSHOT = `c.status, c.from_date as "fromDate", c.to_date as "toDate", c.start_minute as "startMinute", c.end_minute as "endMinute",
       c.days_of_week as "daysOfWeek"`;

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
    `select ${SNAPSHOT} from campaigns c where c.id = :campaignId for no key update`,
    { campaignId },
  );
}
