import { campaignOfCall, dialingCampaigns, forgetDials, haveFailed } from '../../db/campaigns/brakes';
import type { DialStart } from '../../db/calls/engine';
import { changeCampaignStatus } from '../../db/campaigns/status';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { describeBrake, type Brake, type SetupFault } from '../../domain/brakes';
import { DIALLING_STATUSES } from '../../domain/campaign-status';
import { statusChangedEvents } from '../../domain/webhook-events';
import type { ActivityDependencies } from '../dependencies';
import { startDelivery } from '../reconciliation/deliveries';

/**
 * Pauses the campaign, or all of its organization's. Every dial checks the same limits, so none passes meanwhile, and after a crash the next
 * dial comes here again.
 */
export async function applyBrake(
  deps: Pick<ActivityDependencies, 'db' | 'log' | 'signals' | 'workflows'>,
  { clientId, campaignId, brake }: Extract<DialStart, { kind: 'braked' }>,
  now: number,
): Promise<void> {
  const { db, log } = deps;
  const ofClient = brake.kind === 'client_spend' || brake.kind === 'client_failures';
  const campaignIds = ofClient ? await dialingCampaigns(db, clientId) : [campaignId];
  const paused: string[] = [];
  for (const id of campaignIds) if (await pause(deps, id, brake, now)) paused.push(id);
  // A resume resets a campaign's count. The organization's count is reset here, because an organization has no resume.
  if (brake.kind === 'client_failures') await forgetDials(db, clientId);
  if (paused.length > 0)
    log.warn({ client_id: clientId, campaign_ids: paused, ...brake }, 'campaigns paused automatically');
}

/** A 403 of the trunk pauses the campaign only after so many failed dials in a row, because it may be about one number. */
const FORBIDDEN_IN_A_ROW = 5;

/** Returns the campaign to pause after the carrier rejected a call for a setup fault. Null if the call has no campaign or it should continue. */
export async function heldForSetup(
  { db }: Pick<ActivityDependencies, 'db'>,
  callId: string,
  fault: SetupFault | 'bridge_busy',
): Promise<Extract<DialStart, { kind: 'braked' }> | null> {
  if (fault === 'bridge_busy') return null;
  const campaign = await campaignOfCall(db, callId);
  if (campaign === undefined) return null;
  const { campaignId, clientId } = campaign;
  const isOfOneNumber = fault === 'trunk_forbids' && !(await haveFailed(db, campaignId, FORBIDDEN_IN_A_ROW));
  return isOfOneNumber ? null : { kind: 'braked', campaignId, clientId, brake: { kind: 'setup', fault } };
}

async function pause(
  deps: Parameters<typeof applyBrake>[0],
  campaignId: string,
  brake: Brake,
  now: number,
): Promise<boolean> {
  const { db, signals, log } = deps;
  const reason = describeBrake(brake);
  const change = await changeCampaignStatus(db, {
    campaignId,
    to: 'paused',
    from: DIALLING_STATUSES,
    now,
    reason,
    announced: true,
    events: (before) => statusChangedEvents(before, 'paused', now, reason),
  });
  if (change.kind !== 'changed') return false;
  for (const deliveryId of change.deliveryIds) await startDelivery(deps, deliveryId, { campaignId });
  await signalWorkflows(signals, log, { granted: [], refillCampaignId: campaignId });
  return true;
}
