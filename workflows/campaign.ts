/**
 * A campaign: feeds due contacts to the lines while its window is open, sleeps while it is not, ends when every contact has ended.
 *
 * It never counts lines and keeps no contacts: Postgres decides (see `db/functions/claim_page.sql`), so continuing as new, a crash or
 * a repeated signal lose nothing. Its calls go on without it.
 *
 * What a local activity answered decides what follows, with what was known when it was asked (`asked`); signals and timers only say when to
 * look again ("Workflow code and signals" in docs/architecture.md).
 */
import { CancellationScope, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { ClaimedCall } from '../activities/campaigns/feeding';
import { campaignRows } from './activity-proxies';
import { callWorkflow } from './call';
import { openCampaign, setMetadata, untilWoken, type Campaign } from './campaign-state';
import { workflowId, type CampaignInput, type CampaignResult } from './contract';
import { deliveryWorkflow } from './delivery';
import { describeStep, nextStep } from '../domain/campaign-step';
import { startNotification } from './notification';
import { attemptSummary, DELIVERY_SUMMARY } from './workflow-metadata';
import { startDetachedChild } from './start-detached-child';

/** Small, so that the first calls of many dial while the next workflows start. */
const PAGE = 10;

/**
 * A worker that is new to a campaign replays its run within one workflow task, or never goes on: 0.7 ms an event, measured while the
 * machine was busy, of `WORKFLOW_TASK_TIMEOUT_MS`. The server suggests a new run at four times as many.
 */
const EVENTS_OF_A_RUN = 1_000;

export async function campaignWorkflow(input: CampaignInput): Promise<CampaignResult> {
  const campaign = openCampaign(input);
  // A cancellation is one more signal here: it must not keep from a step that a replay finds in the history.
  return CancellationScope.nonCancellable(() => run(campaign));
}

async function run(campaign: Campaign): Promise<CampaignResult> {
  const { campaignId } = campaign.input;
  for (;;) {
    const now = Date.now();
    const { result: survey, asked } = await campaignRows.surveyCampaign({
      campaignId,
      now,
      cancel: campaign.cancelAsked,
      asked: { now, wakes: campaign.wakes, alarms: [...campaign.alarms], isLongRun: isLongRun() },
    });
    // The API could not start us and took the row back, and then it could after all.
    if (survey === null) return { status: 'cancelled' };
    // Before any wait, of which a replay may see the end in the same task: nothing is in flight here, calls belong to themselves.
    if (asked.isLongRun) return startAnew(campaign);
    const step = nextStep(survey, asked.now);
    setMetadata(campaign, survey, step);

    switch (step.kind) {
      case 'feed':
        if (await feed(campaign, step.closesAt)) return startAnew(campaign);
        await untilWoken(campaign, asked, { at: step.wakeAt, summary: describeStep(step) });
        break;
      case 'rest':
        await campaignRows.restCampaign({
          campaignId,
          status: step.status,
          reason: describeStep(step),
          now: Date.now(),
        });
        await untilWoken(campaign, asked, { at: step.opensAt, summary: describeStep(step) });
        break;
      case 'hold':
        await untilWoken(campaign, asked);
        break;
      case 'settle':
        await untilWoken(campaign, asked, { at: step.wakeAt, summary: describeStep(step) });
        break;
      case 'withdraw':
        await campaignRows.withdrawRest({ campaignId, why: step.why, now: Date.now() });
        break;
      case 'finish': {
        const end = await campaignRows.finishCampaign({ campaignId, now: Date.now() });
        if (end.kind === 'finished') {
          await startDeliveries(campaign.input, end.deliveryIds);
          if (end.mails) await startNotification(campaign.input);
          return { status: end.status };
        }
        await untilWoken(campaign, asked);
        break;
      }
    }
  }
}

const startAnew = ({ input, indexedStatus }: Campaign): Promise<never> =>
  continueAsNew<typeof campaignWorkflow>({ ...input, indexedStatus });

function isLongRun(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength >= EVENTS_OF_A_RUN || continueAsNewSuggested;
}

/**
 * Claims due contacts a page at a time, starts their calls, and only then queues them for lines: a line is never given to a call that
 * is not running. Lines that are free sooner than calls can be started keep it at it for the whole campaign, so a long run ends it too. Returns
 * whether a new run is to follow.
 */
async function feed({ input }: Campaign, dialUntil: number): Promise<boolean> {
  const { campaignId, clientId } = input;
  let thenNewRun = false;
  for (;;) {
    const { result: page, asked } = await campaignRows.claimPage({
      campaignId,
      now: Date.now(),
      dialUntil,
      limit: PAGE,
      asked: { isLongRun: isLongRun() },
    });
    if (page.claimed.length > 0) {
      await Promise.all(page.claimed.map((call) => startCall(input, call)));
      const callIds = page.claimed.map(({ callId }) => callId);
      await campaignRows.registerWaiting({ clientId, callIds, now: Date.now() });
    }
    thenNewRun ||= page.thenNewRun || asked.isLongRun;
    if (asked.isLongRun || !page.more) return thenNewRun;
  }
}

async function startCall(
  { clientId, campaignId, agentId }: CampaignInput,
  claimed: ClaimedCall,
): Promise<void> {
  await startDetachedChild(callWorkflow, {
    workflowId: workflowId.call(claimed.callId),
    input: { callId: claimed.callId, clientId, campaignId, agentId },
    summary: attemptSummary(claimed),
    owner: { clientId, campaignId, agentId },
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
