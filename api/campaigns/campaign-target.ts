import { findCampaign, type Campaign } from '../../db/campaigns/campaigns';
import type { Db } from '../../db/kernel/connection';
import { campaignNotFound } from '../http/errors/refusals';
import { uuidParam } from '../http/input/path';

export const campaignParams = uuidParam('campaign_id', 'Identifier of the campaign');

/** @throws ApiError 404, also for another organization's campaign */
export async function campaignOf(db: Db, id: string, organizationId: string): Promise<Campaign> {
  const campaign = await findCampaign(db, organizationId, id);
  if (campaign === undefined) throw campaignNotFound();
  return campaign;
}
