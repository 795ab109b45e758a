import type { Actor, AuditAction } from '../../db/organizations/audit';
import {
  changeCampaignStatus,
  type CampaignStanding,
  type StatusChangeResult,
} from '../../db/campaigns/status';
import { OPEN_STATUSES, type CampaignStatus } from '../../domain/campaign-status';
import { statusChangedEvents } from '../../domain/webhook-events';
import type { ApiError } from '../http/errors/api-error';
import { campaignNotEditable, campaignNotFound, campaignNotPaused } from '../http/errors/refusals';
import type { CampaignSignal } from '../dependencies/temporal-port';
import { takeEffect, type EffectDependencies } from './take-effect';

/** A change of status that a person can request. */
export interface CampaignSwitch {
  to: CampaignStatus;
  from: readonly CampaignStatus[];
  /** True if repeating the request succeeds; false if it is refused. */
  idempotent: boolean;
  signal: CampaignSignal;
  /** Recorded in the audit log. */
  action: AuditAction;
  /** True if this is part of a change to all campaigns. */
  withAll?: boolean;
  refusal: (status: string) => ApiError;
  /** `status_reason` of the campaign afterwards. Omitted if the campaign runs or is finished. */
  reason?: string;
  /** Waits until no dial is in flight, so that nothing is dialled after the response. */
  drains: boolean;
}

export const PAUSE: CampaignSwitch = {
  to: 'paused',
  from: OPEN_STATUSES,
  idempotent: true,
  signal: 'pause',
  action: 'campaign.pause',
  refusal: campaignNotEditable,
  reason: 'paused on request',
  drains: true,
};

export const RESUME: CampaignSwitch = {
  to: 'active',
  from: ['paused'],
  idempotent: false,
  signal: 'resume',
  action: 'campaign.resume',
  refusal: campaignNotPaused,
  drains: false,
};

export const CANCEL: CampaignSwitch = {
  to: 'cancelled',
  from: OPEN_STATUSES,
  idempotent: true,
  signal: 'cancel',
  action: 'campaign.cancel',
  refusal: campaignNotEditable,
  drains: true,
};

/** Records the change in the audit log, with its actor. */
export async function switchCampaign(
  deps: EffectDependencies,
  { campaignId, organizationId }: { campaignId: string; organizationId: string },
  wanted: CampaignSwitch,
  actor: Actor,
): Promise<CampaignStanding> {
  const result = await switchRow(deps, { campaignId, organizationId }, wanted, actor);
  if (result.kind === 'unknown') throw campaignNotFound();
  if (result.kind === 'refused') throw wanted.refusal(result.campaign.status);
  if (result.kind === 'unchanged' && !wanted.idempotent) throw wanted.refusal(result.campaign.status);
  const deliveryIds = result.kind === 'changed' ? result.deliveryIds : [];
  const { signal, drains } = wanted;
  await takeEffect(deps, { campaignId, signal, deliveryIds, drains });
  return result.campaign;
}

/** Changes the campaign's row and records the change. The caller must then run `takeEffect`. */
export function switchRow(
  { db, clock }: Pick<EffectDependencies, 'db' | 'clock'>,
  target: { campaignId: string; organizationId: string },
  wanted: CampaignSwitch,
  actor: Actor,
): Promise<StatusChangeResult> {
  const now = clock.now();
  const { to, from, reason, withAll, action } = wanted;
  return changeCampaignStatus(db, {
    ...target,
    to,
    from,
    now,
    ...(reason !== undefined && { reason }),
    ...(withAll !== undefined && { withAll }),
    events: (before) => statusChangedEvents(before, to, now),
    announced: true,
    by: { actor, action },
  });
}
