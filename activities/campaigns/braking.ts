import { dialingCampaigns, forgetDials } from '../../db/campaigns/brakes';
import type { DialStart } from '../../db/calls/engine';
import { changeCampaignStatus } from '../../db/campaigns/status';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { describeBrake, type Brake } from '../../workflows/domain/brakes';
import { DIALLING_STATUSES } from '../../workflows/domain/campaign-status';
import { statusChangedEvents } from '../../workflows/domain/webhook-events';
import type { ActivityDependencies } from '../dependencies';
import { startDelivery } from '../reconciliation/deliveries';

/**
 * Pauses the campaign, or all of its client, for the reason of the brake. No dial passes the brake meanwhile, as each looks at it; where we
 * die half-way, the next one that looks comes here again.
 */
export async function applyBrake(
  deps: ActivityDependencies,
  { clientId, campaignId, brake }: Extract<DialStart, { kind: 'braked' }>,
  now: number,
): Promise<void> {
  const { db, log } = deps;
  const ofClient = brake.kind === 'client_spend' || brake.kind === 'client_failures';
  const campaignIds = ofClient ? await dialingCampaigns(db, clientId) : [campaignId];
  const paused: string[] = [];
  for (const id of campaignIds) if (await pause(deps, id, brake, now)) paused.push(id);
  // A resume begins a new count; the client's own is begun here, as it has no resume.
  if (brake.kind === 'client_failures') await forgetDials(db, clientId);
  if (paused.length > 0)
    log.warn({ client_id: clientId, campaign_ids: paused, ...brake }, 'a brake paused campaigns');
}

async function pause(
  deps: ActivityDependencies,
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
