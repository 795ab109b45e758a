import { dialsSettled } from '../calls/dials-settled';
import type { ApiDependencies } from '../dependencies';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';
import type { CampaignSignal, TemporalPort } from '../dependencies/temporal-port';

export type EffectDependencies = Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
  temporal: Pick<TemporalPort, 'signalCampaign' | 'startDelivery'>;
};

export interface CampaignChange {
  campaignId: string;
  signal: CampaignSignal;
  /** The webhooks about it. */
  deliveryIds: string[];
  /** Acknowledged only when no dial is on its way: after the answer nothing is dialled. */
  settles: boolean;
}

/** What follows a change that stands in the campaign's row. */
export async function takeEffect(deps: EffectDependencies, change: CampaignChange): Promise<void> {
  await Promise.all([
    signalCampaign(deps, change),
    change.settles ? dialsSettled(deps, { campaignId: change.campaignId }) : null,
  ]);
}

/** The row has changed, which is what counts: what does not get through here is repeated by reconciliation. */
async function signalCampaign(
  { temporal, log }: EffectDependencies,
  { campaignId, signal, deliveryIds }: CampaignChange,
): Promise<void> {
  try {
    await Promise.all([
      temporal.signalCampaign(campaignId, signal),
      ...deliveryIds.map((deliveryId) => temporal.startDelivery({ deliveryId }, { campaignId })),
    ]);
  } catch (error) {
    if (!(error instanceof TemporalUnavailable)) throw error;
    log.warn({ campaign_id: campaignId, signal }, 'campaign changed, its workflow is signalled later');
  }
}
