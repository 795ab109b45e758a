import * as overdue from '../../db/reconciliation';
import { announce } from '../../workflows/announce';
import { WORKFLOW_TYPES, workflowId, type CampaignInput } from '../../workflows/contract';
import { cancelFromWithin } from '../campaign-ending';
import type { Repair } from '.';

/** Campaigns with a row and no workflow: started if they never had one; ended as cancelled if it was terminated. */
export async function repairCampaigns(repair: Repair): Promise<void> {
  const { db, workflows, clock, lateness } = repair;
  for (const { campaignId, clientId, agentId } of await overdue.openCampaigns(
    db,
    clock() - lateness.lostMessageMs,
  )) {
    const id = workflowId.campaign(campaignId);
    const state = await workflows.state(id);
    if (state === 'running') continue;
    if (state === 'closed')
      await cancelFromWithin(repair, campaignId, 'its workflow was terminated', clock());
    // Also after a termination: the new run ends what was not dialled and announces the end.
    const input: CampaignInput = { campaignId, clientId, agentId };
    await workflows.startOnce(WORKFLOW_TYPES.campaign, id, input, {
      againAfterClose: true,
      owner: input,
      summary: `campaign, client ${clientId}`,
    });
  }
}

/** Campaigns that should have been woken and were not. */
export async function repairRefills({ db, signals, log, clock, lateness }: Repair): Promise<void> {
  for (const refillCampaignId of await overdue.unansweredRefills(db, clock() - lateness.lostMessageMs)) {
    await announce(signals, log, { granted: [], refillCampaignId });
  }
}
