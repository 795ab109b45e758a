import * as overdue from '../../db/reconciliation/overdue';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { WORKFLOW_TYPES, workflowId, type CampaignInput } from '../../workflows/contract';
import { scheduleOf, windowPhase } from '../../domain/calling-window';
import { DIALLING_STATUSES } from '../../domain/campaign-status';
import { cancelFromWithin } from '../campaigns/ending';
import type { Repair } from './repair';
import { eachOf, eachPageOf } from './each-of';
import { CAMPAIGN_LOOK_MS, RESTING_CAMPAIGN_LOOK_MS } from './lateness';
import { reportStuck } from './stuck-workflows';

/**
 * Checks suspect campaigns. Starts a missing workflow, cancels a campaign whose workflow was terminated, and signals a running workflow that is
 * silent although its window is open or over.
 */
export async function repairCampaigns(repair: Repair): Promise<void> {
  const { db, clock, lateness } = repair;
  const suspect = { now: clock(), askedBefore: clock() - lateness.lostMessageMs };
  await eachPageOf(
    repair,
    (last: overdue.SuspectCampaign | null) =>
      overdue.suspectCampaigns(db, { ...suspect, after: last && last.campaignId }),
    (page) => repairPage(repair, page),
  );
}

async function repairPage(repair: Repair, page: readonly overdue.SuspectCampaign[]): Promise<void> {
  const { db, clock } = repair;
  const looked: string[] = [];
  try {
    await eachOf(repair, page, async (campaign) => {
      await repairCampaign(repair, campaign);
      looked.push(campaign.campaignId);
    });
  } finally {
    const now = clock();
    const again = { at: now + CAMPAIGN_LOOK_MS, restingAt: now + RESTING_CAMPAIGN_LOOK_MS };
    if (looked.length > 0) await overdue.lookAtCampaignsAgain(db, looked, again);
  }
}

async function repairCampaign(repair: Repair, campaign: overdue.SuspectCampaign): Promise<void> {
  const { campaignId, organizationId, agentId } = campaign;
  const { workflows, signals, log, clock } = repair;
  const id = workflowId.campaign(campaignId);
  const state = await workflows.state(id);
  if (state === 'stuck') await reportStuck(repair, id, 'tasks fail');
  // The SDK may miss a timer that fires while a workflow task times out, so signal the workflow.
  if (state === 'running' && hasSomethingToDo(campaign, clock()))
    await signalWorkflows(signals, log, { granted: [], refillCampaignId: campaignId });
  if (state === 'running' || state === 'stuck') return;
  if (state === 'closed') await cancelFromWithin(repair, campaignId, 'its workflow was terminated', clock());
  // After a termination, a new workflow ends the remaining contacts and announces the end.
  const input: CampaignInput = { campaignId, organizationId, agentId };
  await workflows.startOnce(WORKFLOW_TYPES.campaign, id, input, {
    againAfterClose: true,
    owner: input,
    summary: `campaign, organization ${organizationId}`,
  });
}

function hasSomethingToDo(campaign: overdue.SuspectCampaign, now: number): boolean {
  const { phase } = windowPhase(scheduleOf(campaign), now);
  return DIALLING_STATUSES.includes(campaign.status) && (phase === 'open' || phase === 'over');
}

/** Repeats lost refill signals. */
export async function repairRefills(repair: Repair): Promise<void> {
  const { db, signals, log, clock, lateness } = repair;
  const before = clock() - lateness.lostMessageMs;
  await eachPageOf(
    repair,
    (last: string | null) => overdue.unansweredRefills(db, before, last),
    (page) =>
      eachOf(repair, page, (refillCampaignId) =>
        signalWorkflows(signals, log, { granted: [], refillCampaignId }),
      ),
  );
}
