import { isCarrierBeingAsked } from '../../db/campaigns';
import { changeCampaignStatus, type CampaignStanding } from '../../db/campaign-status';
import { CAMPAIGN_STATUSES, isFinal, type CampaignStatus } from '../../workflows/domain/campaign-status';
import { statusChangedEvents } from '../../workflows/domain/webhook-events';
import type { ApiDependencies } from '../dependencies';
import type { ApiError } from '../errors/api-error';
import { campaignNotEditable, campaignNotFound, campaignNotPaused } from '../errors/refusals';
import { TemporalUnavailable, type CampaignSignal } from '../temporal-port';

const POLL_MS = 25;
/** The carrier must not take a request up more than three seconds after it was made, plus what the clocks may differ. */
const SETTLE_LIMIT_MS = 3200;

/** What a person can ask of a campaign, and from where. */
export interface CampaignSwitch {
  to: CampaignStatus;
  from: readonly CampaignStatus[];
  /** Asked for again where it holds already: answered the same, or refused. */
  idempotent: boolean;
  signal: CampaignSignal;
  refusal: (status: string) => ApiError;
  /** Acknowledged only when no dial is on its way: after the answer nothing is dialled. */
  settles: boolean;
}

const open = CAMPAIGN_STATUSES.filter((status) => !isFinal(status));

export const PAUSE: CampaignSwitch = {
  to: 'paused',
  from: open,
  idempotent: true,
  signal: 'pause',
  refusal: campaignNotEditable,
  settles: true,
};

export const RESUME: CampaignSwitch = {
  to: 'active',
  from: ['paused'],
  idempotent: false,
  signal: 'resume',
  refusal: campaignNotPaused,
  settles: false,
};

export const CANCEL: CampaignSwitch = {
  to: 'cancelled',
  from: open,
  idempotent: true,
  signal: 'cancel',
  refusal: campaignNotEditable,
  settles: true,
};

export async function switchCampaign(
  deps: ApiDependencies,
  target: { campaignId: string; clientId: string },
  wanted: CampaignSwitch,
): Promise<CampaignStanding> {
  const now = deps.clock.now();
  const result = await changeCampaignStatus(deps.db, {
    ...target,
    to: wanted.to,
    from: wanted.from,
    now,
    events: (before) => statusChangedEvents(before, wanted.to, now),
    announced: true,
  });
  if (result.kind === 'unknown') throw campaignNotFound();
  if (result.kind === 'refused') throw wanted.refusal(result.campaign.status);
  if (result.kind === 'unchanged' && !wanted.idempotent) throw wanted.refusal(result.campaign.status);
  const deliveryIds = result.kind === 'changed' ? result.deliveryIds : [];
  await Promise.all([
    tellTemporal(deps, target.campaignId, wanted.signal, deliveryIds),
    wanted.settles ? dialsSettled(deps, target.campaignId) : null,
  ]);
  return result.campaign;
}

/** The row has changed, which is what counts: what does not get through here is repeated by reconciliation. */
async function tellTemporal(
  { temporal, log }: ApiDependencies,
  campaignId: string,
  signal: CampaignSignal,
  deliveryIds: string[],
): Promise<void> {
  try {
    await Promise.all([
      temporal.signalCampaign(campaignId, signal),
      ...deliveryIds.map((deliveryId) => temporal.startDelivery({ deliveryId })),
    ]);
  } catch (error) {
    if (!(error instanceof TemporalUnavailable)) throw error;
    log.warn({ campaignId, signal }, 'campaign changed, its workflow hears of it later');
  }
}

/** Until no dial of the campaign is between its written intent and the carrier's answer. */
async function dialsSettled({ db, clock }: ApiDependencies, campaignId: string): Promise<void> {
  const deadline = performance.now() + SETTLE_LIMIT_MS;
  while (await isCarrierBeingAsked(db, campaignId, clock.now())) {
    if (performance.now() >= deadline) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
