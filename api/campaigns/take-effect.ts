import { dialsDrained } from '../calls/drained-dials';
import type { ApiDependencies } from '../dependencies';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';
import type { CampaignSignal, TemporalPort } from '../dependencies/temporal-port';

export type EffectDependencies = Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
  temporal: Pick<TemporalPort, 'signalCampaign' | 'startDelivery'>;
};

export interface CampaignChange {
  campaignId: string;
  signal: CampaignSignal;
  /** The webhooks that announce the change. */
  deliveryIds: string[];
  /** Waits until no dial is in flight, so that nothing is dialled after the response. */
  drains: boolean;
}

/** Applies a change that is already written to the campaign's row. */
export async function takeEffect(deps: EffectDependencies, change: CampaignChange): Promise<void> {
  await Promise.all([
    signalCampaign(deps, change),
    change.drains ? dialsDrained(deps, { campaignId: change.campaignId }) : null,
  ]);
}

/** Reconciliation repeats what fails here, because the row has already changed. */
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
    log.warn(
      { campaign_id: campaignId, signal },
      'campaign changed; reconciliation will signal its workflow',
    );
  }
}
