/** Guards a workflow's step against changes that a person makes to the campaign between the decision and the step. */
import type { CampaignStatus } from '../../domain/campaign-status';
import type { ZonedCampaign } from '../../domain/rules/campaign-window';
import type { Db } from '../kernel/connection';
import { firstRow, rows } from '../kernel/query';

/** The fields that decide whether and when a campaign dials. */
export interface CampaignSnapshot extends ZonedCampaign {
  status: CampaignStatus;
}

/** SQL columns of a CampaignSnapshot, from `campaigns` under this alias. */
export const snapshotColumns = (
  c: string,
): string => `${c}.status, ${c}.from_date as "fromDate", ${c}.to_date as "toDate",
       ${c}.start_minute as "startMinute", ${c}.end_minute as "endMinute", ${c}.days_of_week as "daysOfWeek",
       ${c}.window_timezone as "windowTimezone",
       zones_left(${c}) as zones,
       rule_profiles_of(${c}.organization_id, array[(select o.rule_profile from organizations o where o.id = ${c}.organization_id), ${c}.rule_profile])
         as profiles`;

export const SNAPSHOT = snapshotColumns('c');

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
