import type { Actor } from '../../db/clients/audit';
import { changeCampaignStatus, type CampaignStanding } from '../../db/campaigns/status';
import { OPEN_STATUSES, type CampaignStatus } from '../../workflows/domain/campaign-status';
import { statusChangedEvents } from '../../workflows/domain/webhook-events';
import type { ApiError } from '../http/errors/api-error';
import { campaignNotEditable, campaignNotFound, campaignNotPaused } from '../http/errors/refusals';
import type { CampaignSignal } from '../dependencies/temporal-port';
import { takeEffect, type EffectDependencies } from './take-effect';

/** What a person can ask of a campaign, and from where. */
export interface CampaignSwitch {
  to: CampaignStatus;
  from: readonly CampaignStatus[];
  /** Asked for again where it holds already: answered the same, or refused. */
  idempotent: boolean;
  signal: CampaignSignal;
  refusal: (status: string) => ApiError;
  /** The campaign's `status_reason` from then on; none where it does not rest, or never goes on. */
  reason?: string;
  /** Acknowledged only when no dial is on its way: after the answer nothing is dialled. */
  settles: boolean;
}

export const PAUSE: CampaignSwitch = {
  to: 'paused',
  from: OPEN_STATUSES,
  idempotent: true,
  signal: 'pause',
  refusal: campaignNotEditable,
  reason: 'paused on request',
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
  from: OPEN_STATUSES,
  idempotent: true,
  signal: 'cancel',
  refusal: campaignNotEditable,
  settles: true,
};

/** One that changes something is recorded as the actor's `campaign.pause`, `campaign.resume` or `campaign.cancel`. */
export async function switchCampaign(
  deps: EffectDependencies,
  { campaignId, clientId }: { campaignId: string; clientId: string },
  wanted: CampaignSwitch,
  actor: Actor,
): Promise<CampaignStanding> {
  const now = deps.clock.now();
  const result = await changeCampaignStatus(deps.db, {
    campaignId,
    clientId,
    to: wanted.to,
    from: wanted.from,
    now,
    ...(wanted.reason !== undefined && { reason: wanted.reason }),
    events: (before) => statusChangedEvents(before, wanted.to, now),
    announced: true,
    by: { actor, action: `campaign.${wanted.signal}` },
  });
  if (result.kind === 'unknown') throw campaignNotFound();
  if (result.kind === 'refused') throw wanted.refusal(result.campaign.status);
  if (result.kind === 'unchanged' && !wanted.idempotent) throw wanted.refusal(result.campaign.status);
  const deliveryIds = result.kind === 'changed' ? result.deliveryIds : [];
  const { signal, settles } = wanted;
  await takeEffect(deps, { campaignId, signal, deliveryIds, settles });
  return result.campaign;
}
