/**
 * A campaign starts calls for due contacts while its window is open, sleeps while it is closed, and ends when every contact has ended.
 *
 * It counts no lines and stores no contacts, because Postgres decides (`db/functions/claim_page.sql`). It therefore loses nothing when it
 * continues as new, crashes or gets a signal twice. Its calls continue without it.
 *
 * Signals and timers only request a new survey of the rows. The survey's result decides what to do ("Workflow code and signals" in
 * docs/architecture.md).
 */
import { CancellationScope, continueAsNew } from '@temporalio/workflow';
import type { ClaimedCall } from '../activities/campaigns/steps';
import { campaignRows } from './activity-proxies';
import { callWorkflow } from './call';
import { openCampaign, setMetadata, step, survey, untilWoken, type Campaign } from './campaign-state';
import { workflowId, type CampaignInput, type CampaignResult } from './contract';
import { deliveryWorkflow } from './delivery';
import { describeStep, nextStep } from '../domain/campaign-step';
import { startNotification } from './notification';
import { attemptSummary, DELIVERY_SUMMARY } from './workflow-metadata';
import { startDetachedChild } from './start-detached-child';

/** Small, so that the first calls dial while further workflows start. */
const PAGE = 10;

export async function campaignWorkflow(input: CampaignInput): Promise<CampaignResult> {
  const campaign = openCampaign(input);
  // A cancellation is treated as a signal. Otherwise a replay could skip a step that is in the history.
  return CancellationScope.nonCancellable(() => run(campaign));
}

async function run(campaign: Campaign): Promise<CampaignResult> {
  const { campaignId } = campaign.input;
  for (;;) {
    const rows = await survey(campaign);
    if (rows === null) return { status: 'cancelled' };
    // Start the new run here and not after a wait, because a replay may see the end of the wait in the same task.
    if (campaign.surveyed.isLongRun) return startNewRun(campaign);
    const next = nextStep(rows, campaign.surveyed.now);
    setMetadata(campaign, rows, next);

    switch (next.kind) {
      case 'feed':
        if (await feed(campaign, next.closesAt)) return startNewRun(campaign);
        await untilWoken(campaign, { at: next.wakeAt, summary: describeStep(next) });
        break;
      case 'rest':
        await campaignRows.restCampaign({
          campaignId,
          status: next.status,
          reason: describeStep(next),
          now: Date.now(),
        });
        await untilWoken(campaign, { at: next.opensAt, summary: describeStep(next) });
        break;
      case 'hold':
        await untilWoken(campaign);
        break;
      case 'drain':
        await untilWoken(campaign, { at: next.wakeAt, summary: describeStep(next) });
        break;
      case 'withdraw':
        await campaignRows.withdrawRest({ campaignId, why: next.why, now: Date.now() });
        break;
      case 'finish': {
        const end = await campaignRows.finishCampaign({ campaignId, now: Date.now() });
        if (end.kind === 'finished') {
          await startDeliveries(campaign.input, end.deliveryIds);
          if (end.mails) await startNotification(campaign.input);
          return { status: end.status };
        }
        await untilWoken(campaign);
        break;
      }
    }
  }
}

const startNewRun = ({ input, indexedStatus }: Campaign): Promise<never> =>
  continueAsNew<typeof campaignWorkflow>({ ...input, indexedStatus });

/**
 * Claims due contacts a page at a time, starts their calls, and only then queues the calls for lines, because a line must not go to a call
 * that isn't running. Returns whether the workflow must continue as new, which also stops a loop that always finds free lines.
 */
async function feed(campaign: Campaign, dialUntil: number): Promise<boolean> {
  const { input } = campaign;
  const { campaignId, organizationId } = input;
  let needsNewRun = false;
  for (;;) {
    const page = await step(campaign, campaignRows.claimPage, {
      campaignId,
      now: Date.now(),
      dialUntil,
      limit: PAGE,
    });
    if (page.claimed.length > 0) {
      await Promise.all(page.claimed.map((call) => startCall(input, call)));
      const callIds = page.claimed.map(({ callId }) => callId);
      await campaignRows.registerWaiting({ organizationId, callIds, now: Date.now() });
    }
    const { isLongRun } = campaign.known;
    needsNewRun ||= page.thenNewRun || isLongRun;
    if (isLongRun || !page.more) return needsNewRun;
  }
}

async function startCall(
  { organizationId, campaignId, agentId }: CampaignInput,
  claimed: ClaimedCall,
): Promise<void> {
  await startDetachedChild(callWorkflow, {
    workflowId: workflowId.call(claimed.callId),
    input: { callId: claimed.callId, organizationId, campaignId, agentId },
    summary: attemptSummary(claimed),
    owner: { organizationId, campaignId, agentId },
  });
}

async function startDeliveries(owner: CampaignInput, deliveryIds: string[]): Promise<void> {
  await Promise.all(
    deliveryIds.map((deliveryId) =>
      startDetachedChild(deliveryWorkflow, {
        workflowId: workflowId.delivery(deliveryId),
        input: { deliveryId },
        summary: DELIVERY_SUMMARY.campaign,
        owner,
      }),
    ),
  );
}
