/**
 * A campaign: feeds due contacts to the lines while its window is open, sleeps while it is not, ends when every contact has ended.
 *
 * It never counts lines and keeps no contacts: Postgres decides (see `db/functions/claim_page.sql`), so continuing as new, a crash or
 * a repeated signal lose nothing. Its calls go on without it.
 */
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ClaimedCall } from '../activities/campaign-feeding';
import { campaignRows } from './activity-proxies';
import { callWorkflow } from './call';
import {
  cancelSignal,
  pauseSignal,
  refillSignal,
  resumeSignal,
  searchAttributes,
  updateSignal,
  workflowId,
  type CampaignInput,
  type CampaignResult,
} from './contract';
import { deliveryWorkflow } from './delivery';
import { describeStep, nextStep, type CampaignStep, type CampaignSurvey } from './domain/campaign-step';
import { startNotification } from './notification';
import { DELIVERY_SUMMARY } from './shown-as';
import { startApart } from './start-apart';

export interface CampaignProgress {
  step: string;
  endedContacts: number;
  total: number;
  liveCalls: number;
  waitingCalls: number;
}

export const campaignProgressQuery = defineQuery<CampaignProgress>('progress');

/** Small, so that the first calls of many dial while the next workflows start. */
const PAGE = 10;

/**
 * A worker that is new to a campaign replays its run within one workflow task, or never goes on: 0.7 ms an event, measured while the
 * machine was busy, of `WORKFLOW_TASK_TIMEOUT_MS`. The server suggests a new run at four times as many.
 */
const EVENTS_OF_A_RUN = 1_000;

interface Campaign {
  input: CampaignInput;
  /** Something changed since the last survey. */
  woken: boolean;
  shownStatus: string;
  progress: CampaignProgress;
}

export async function campaignWorkflow(input: CampaignInput): Promise<CampaignResult> {
  const campaign = setup(input);
  try {
    return await run(campaign);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    // Cancelled in the Web UI: the same as a client's cancel, so that the rows say what happened.
    return await CancellationScope.nonCancellable(async () => {
      await campaignRows.cancelCampaign({ campaignId: input.campaignId, now: Date.now() });
      return run(campaign);
    });
  }
}

function setup(input: CampaignInput): Campaign {
  const campaign: Campaign = {
    input,
    woken: false,
    shownStatus: '',
    progress: { step: 'starting', endedContacts: 0, total: 0, liveCalls: 0, waitingCalls: 0 },
  };
  for (const signal of [pauseSignal, resumeSignal, cancelSignal, updateSignal, refillSignal]) {
    setHandler(signal, () => void (campaign.woken = true));
  }
  setHandler(campaignProgressQuery, () => campaign.progress);
  return campaign;
}

async function run(campaign: Campaign): Promise<CampaignResult> {
  const { campaignId } = campaign.input;
  for (;;) {
    campaign.woken = false;
    const survey = await campaignRows.surveyCampaign({ campaignId, now: Date.now() });
    // The API could not start us and took the row back, and then it could after all.
    if (survey === null) return { status: 'cancelled' };
    const step = nextStep(survey, Date.now());
    show(campaign, survey, step);

    switch (step.kind) {
      case 'feed':
        await feed(campaign, step.closesAt);
        if (!isLongRun()) await untilWoken(campaign, { at: step.wakeAt, summary: describeStep(step) });
        break;
      case 'rest':
        await campaignRows.restCampaign({
          campaignId,
          status: step.status,
          reason: describeStep(step),
          now: Date.now(),
        });
        await untilWoken(campaign, { at: step.opensAt, summary: describeStep(step) });
        break;
      case 'hold':
        await untilWoken(campaign);
        break;
      case 'settle':
        await untilWoken(campaign, { at: step.wakeAt, summary: describeStep(step) });
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
        await untilWoken(campaign);
        break;
      }
    }
    // Between two steps nothing is in flight here: calls belong to themselves.
    if (isLongRun()) await continueAsNew<typeof campaignWorkflow>(campaign.input);
  }
}

function isLongRun(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength >= EVENTS_OF_A_RUN || continueAsNewSuggested;
}

/**
 * Claims due contacts a page at a time, starts their calls, and only then queues them for lines: a line is never given to a call that
 * is not running. Lines that are free sooner than calls can be started keep it at it for the whole campaign, so a long run ends it too.
 */
async function feed({ input }: Campaign, dialUntil: number): Promise<void> {
  const { campaignId, clientId } = input;
  let more = true;
  while (more) {
    const page = await campaignRows.claimPage({ campaignId, now: Date.now(), dialUntil, limit: PAGE });
    if (page.claimed.length > 0) {
      await Promise.all(page.claimed.map((call) => startCall(input, call)));
      const callIds = page.claimed.map(({ callId }) => callId);
      await campaignRows.registerWaiting({ clientId, callIds, now: Date.now() });
    }
    more = page.more && !isLongRun();
  }
}

async function startCall(
  { clientId, campaignId, agentId }: CampaignInput,
  { callId, attempt, maxAttempts }: ClaimedCall,
): Promise<void> {
  await startApart(callWorkflow, {
    workflowId: workflowId.call(callId),
    input: { callId, clientId, campaignId, agentId },
    summary: attempt === null ? 'callback' : `call attempt ${attempt} of ${maxAttempts}`,
    owner: { clientId, campaignId, agentId },
  });
}

async function startDeliveries(owner: CampaignInput, deliveryIds: string[]): Promise<void> {
  await Promise.all(
    deliveryIds.map((deliveryId) =>
      startApart(deliveryWorkflow, {
        workflowId: workflowId.delivery(deliveryId),
        input: { deliveryId },
        summary: DELIVERY_SUMMARY.campaign,
        owner,
      }),
    ),
  );
}

async function untilWoken(campaign: Campaign, timer?: { at: number; summary: string }): Promise<void> {
  const woken = () => campaign.woken;
  if (timer === undefined) await condition(woken);
  else await condition(woken, Math.max(1, timer.at - Date.now()), { summary: timer.summary });
}

function show(campaign: Campaign, survey: CampaignSurvey, step: CampaignStep): void {
  campaign.progress = {
    step: describeStep(step),
    endedContacts: survey.endedContacts,
    total: survey.total,
    liveCalls: survey.liveCalls,
    waitingCalls: survey.waitingCalls,
  };
  setCurrentDetails(
    `${describeStep(step)}\n\n${survey.endedContacts} of ${survey.total} contacts ended, ${survey.liveCalls} live, ` +
      `${survey.waitingCalls} waiting for a line`,
  );
  const status = step.kind === 'rest' ? step.status : step.kind === 'feed' ? 'active' : survey.status;
  if (status === campaign.shownStatus) return;
  campaign.shownStatus = status;
  upsertSearchAttributes([{ key: searchAttributes.campaignStatus, value: status }]);
}
