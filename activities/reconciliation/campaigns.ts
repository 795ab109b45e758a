import * as overdue from '../../db/reconciliation/overdue';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { WORKFLOW_TYPES, workflowId, type CampaignInput } from '../../workflows/contract';
import { cancelFromWithin } from '../campaigns/ending';
import type { Repair } from './repair';
import { eachOf, eachPageOf } from './each-of';
import { CAMPAIGN_LOOK_MS, RESTING_CAMPAIGN_LOOK_MS } from './lateness';
import { reportStuck } from './stuck-workflows';

/** Campaigns with a row and no workflow: started if they never had one; ended as cancelled if it was terminated. */
export async function repairCampaigns(repair: Repair): Promise<void> {
  const { db, clock, lateness } = repair;
  const doubted = { now: clock(), askedBefore: clock() - lateness.lostMessageMs };
  await eachPageOf(
    repair,
    (last: overdue.DoubtedCampaign | null) =>
      overdue.doubtedCampaigns(db, { ...doubted, after: last && last.campaignId }),
    (page) => repairPage(repair, page),
  );
}

async function repairPage(repair: Repair, page: readonly overdue.DoubtedCampaign[]): Promise<void> {
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

async function repairCampaign(
  repair: Repair,
  { campaignId, clientId, agentId }: overdue.DoubtedCampaign,
): Promise<void> {
  const { workflows, clock } = repair;
  const id = workflowId.campaign(campaignId);
  const state = await workflows.state(id);
  if (state === 'stuck') await reportStuck(repair, id, 'tasks fail');
  if (state === 'running' || state === 'stuck') return;
  if (state === 'closed') await cancelFromWithin(repair, campaignId, 'its workflow was terminated', clock());
  // Also after a termination: the new run ends what was not dialled and announces the end.
  const input: CampaignInput = { campaignId, clientId, agentId };
  await workflows.startOnce(WORKFLOW_TYPES.campaign, id, input, {
    againAfterClose: true,
    owner: input,
    summary: `campaign, client ${clientId}`,
  });
}

/** Campaigns that should have been woken and were not. */
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
