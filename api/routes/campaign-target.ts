import { findCampaign, type Campaign } from '../../db/campaigns';
import type { Db } from '../../db/connection';
import { campaignNotFound } from '../errors/refusals';
import { uuidParam } from '../input/path';

export const campaignParams = uuidParam('campaign_id', 'Identifier of the campaign');

/** Another client's campaign is unknown. */
export async function campaignOf(db: Db, id: string, clientId: string): Promise<Campaign> {
  const campaign = await findCampaign(db, clientId, id);
  if (campaign === undefined) throw campaignNotFound();
  return campaign;
}
