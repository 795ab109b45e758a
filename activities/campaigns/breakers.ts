import { campaignOfCall, dialingCampaigns, forgetDials, haveFailed } from '../../db/campaigns/breakers';
import type { DialStart } from '../../db/calls/engine';
import { changeCampaignStatus } from '../../db/campaigns/status';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { describeBreaker, type Breaker, type SetupFault } from '../../domain/breakers';
import { DIALLING_STATUSES } from '../../domain/campaign-status';
import { statusChangedEvents } from '../../domain/webhook-events';
import type { ActivityDependencies } from '../dependencies';
import { startDelivery } from '../delivering/delivering';

/**
 * Pauses the campaign, or all campaigns of its organization. A crash does no harm, because every dial checks the same limits, and the next
 * dial trips the breaker again.
 */
export async function tripBreaker(
  deps: Pick<ActivityDependencies, 'db' | 'log' | 'signals' | 'workflows'>,
  { organizationId, campaignId, breaker }: Extract<DialStart, { kind: 'tripped' }>,
  now: number,
): Promise<void> {
  const { db, log } = deps;
  const ofOrganization = breaker.kind === 'organization_spend' || breaker.kind === 'organization_failures';
  const campaignIds = ofOrganization ? await dialingCampaigns(db, organizationId) : [campaignId];
  const paused: string[] = [];
  for (const id of campaignIds) if (await pause(deps, id, breaker, now)) paused.push(id);
  // Resuming a campaign resets its count. An organization cannot be resumed, so reset its count here.
  if (breaker.kind === 'organization_failures') await forgetDials(db, organizationId);
  if (paused.length > 0)
    log.warn(
      { organization_id: organizationId, campaign_ids: paused, ...breaker },
      'campaigns paused automatically',
    );
}

/**
 * Number of consecutive dials that the trunk must reject with 403 before the campaign is paused. A single 403 may concern only that number.
 */
const FORBIDDEN_IN_A_ROW = 5;

/**
 * Returns the campaign to pause after the carrier rejected a call because of a setup fault. Returns null if the call has no campaign or the
 * campaign should continue.
 */
export async function heldForSetup(
  { db }: Pick<ActivityDependencies, 'db'>,
  callId: string,
  fault: SetupFault | 'bridge_busy',
): Promise<Extract<DialStart, { kind: 'tripped' }> | null> {
  if (fault === 'bridge_busy') return null;
  const campaign = await campaignOfCall(db, callId);
  if (campaign === undefined) return null;
  const { campaignId, organizationId } = campaign;
  const isOfOneNumber = fault === 'trunk_forbids' && !(await haveFailed(db, campaignId, FORBIDDEN_IN_A_ROW));
  return isOfOneNumber
    ? null
    : { kind: 'tripped', campaignId, organizationId, breaker: { kind: 'setup', fault } };
}

async function pause(
  deps: Parameters<typeof tripBreaker>[0],
  campaignId: string,
  breaker: Breaker,
  now: number,
): Promise<boolean> {
  const { db, signals, log } = deps;
  const reason = describeBreaker(breaker);
  const change = await changeCampaignStatus(db, {
    campaignId,
    to: 'paused',
    from: DIALLING_STATUSES,
    now,
    reason,
    reported: true,
    events: (before) => statusChangedEvents(before, 'paused', now, reason),
  });
  if (change.kind !== 'changed') return false;
  for (const deliveryId of change.deliveryIds) await startDelivery(deps, deliveryId, { campaignId });
  await signalWorkflows(signals, log, { granted: [], refillCampaignId: campaignId });
  return true;
}
