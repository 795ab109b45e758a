/** State, signals, steps and waits of a campaign's workflow. */
import {
  CancellationScope,
  condition,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  campaignProgressQuery,
  cancelSignal,
  pauseSignal,
  refillSignal,
  resumeSignal,
  searchAttributes,
  updateSignal,
  type CampaignInput,
  type CampaignProgress,
} from './contract';
import type { Answer } from '../activities/local-activity';
import { describeStep, type CampaignStep, type CampaignSurvey } from '../domain/campaign-step';
import { campaignRows } from './activity-proxies';
import { campaignSummary } from './workflow-metadata';

/**
 * A worker that is new to a campaign must replay its run within `WORKFLOW_TASK_TIMEOUT_MS`. That takes 0.7 ms per event on a busy machine.
 * The server suggests a new run only at four times as many events.
 */
const MAX_EVENTS_PER_RUN = 1_000;

/** The workflow's state when a step was scheduled, as returned with the step's result. */
interface StepContext {
  now: number;
  wakes: number;
  alarms: readonly number[];
  /** The history is long enough for a new run. */
  isLongRun: boolean;
}

export interface Campaign {
  input: CampaignInput;
  /** Number of signals and alarms that have requested a new survey. */
  wakes: number;
  /** The instants that have a running timer. */
  alarms: Set<number>;
  /** The state when the last step was scheduled. */
  known: StepContext;
  /** The state when the last survey was scheduled. A wait ends after any later wake-up. */
  surveyed: StepContext;
  /** An operator cancelled the workflow. The campaign is then cancelled as if through the API, so that the rows show it. */
  isCancelled: boolean;
  indexedStatus: string;
  progress: CampaignProgress;
}

export function openCampaign(input: CampaignInput): Campaign {
  const start: StepContext = { now: Date.now(), wakes: 0, alarms: [], isLongRun: false };
  const campaign: Campaign = {
    input,
    wakes: 0,
    alarms: new Set(),
    known: start,
    surveyed: start,
    isCancelled: false,
    indexedStatus: input.indexedStatus ?? '',
    progress: { step: 'starting', endedContacts: 0, total: 0, liveCalls: 0, waitingCalls: 0 },
  };
  for (const signal of [pauseSignal, resumeSignal, cancelSignal, updateSignal, refillSignal]) {
    setHandler(signal, () => void (campaign.wakes += 1));
  }
  CancellationScope.current().cancelRequested.catch(() => {
    campaign.wakes += 1;
    campaign.isCancelled = true;
  });
  setHandler(campaignProgressQuery, () => campaign.progress);
  return campaign;
}

/**
 * Runs a local activity with a copy of the workflow's state, and stores the copy that is returned with its result. Never store the live
 * state instead, because a replay may already see later signals ("Workflow code and signals" in docs/architecture.md).
 */
export async function step<Input extends { now: number }, Result>(
  campaign: Campaign,
  activity: (input: Input & { asked: StepContext }) => Promise<Answer<Result, StepContext>>,
  input: Input,
): Promise<Result> {
  const { wakes, alarms } = campaign;
  const context = { now: input.now, wakes, alarms: [...alarms], isLongRun: isLongRun() };
  const { result, asked } = await activity({ ...input, asked: context });
  campaign.known = asked;
  return result;
}

function isLongRun(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength >= MAX_EVENTS_PER_RUN || continueAsNewSuggested;
}

/**
 * Returns null if the campaign has no row. In that case, the API deleted the row because Temporal seemed unreachable, although the workflow
 * had started.
 */
export async function survey(campaign: Campaign): Promise<CampaignSurvey | null> {
  const { input, isCancelled } = campaign;
  const { campaignId } = input;
  const rows = await step(campaign, campaignRows.surveyCampaign, {
    campaignId,
    now: Date.now(),
    cancel: isCancelled,
  });
  campaign.surveyed = campaign.known;
  return rows;
}

/** Waits for a wake-up that the last survey did not know. */
export async function untilWoken(campaign: Campaign, alarm?: { at: number; summary: string }): Promise<void> {
  const { surveyed } = campaign;
  // Don't check the live alarms. In a replay, the timer for that instant may already have fired.
  if (alarm !== undefined && !surveyed.alarms.includes(alarm.at)) setAlarm(campaign, alarm);
  await condition(() => campaign.wakes > surveyed.wakes);
}

/**
 * Starts a timer that is never cancelled, one per instant. Set it before a wait checks its condition, because a replay may already see the
 * signal that ended the wait, but must start the timers that are in the history.
 */
function setAlarm(campaign: Campaign, { at, summary }: { at: number; summary: string }): void {
  campaign.alarms.add(at);
  void sleep(Math.max(1, at - Date.now()), { summary }).then(() => {
    campaign.alarms.delete(at);
    campaign.wakes += 1;
  });
}

export function setMetadata(campaign: Campaign, survey: CampaignSurvey, step: CampaignStep): void {
  campaign.progress = {
    step: describeStep(step),
    endedContacts: survey.endedContacts,
    total: survey.total,
    liveCalls: survey.liveCalls,
    waitingCalls: survey.waitingCalls,
  };
  setCurrentDetails(
    [
      campaignSummary(campaign.input, survey.total),
      describeStep(step),
      `${survey.endedContacts} of ${survey.total} contacts ended, ${survey.liveCalls} live, ${survey.waitingCalls} waiting for a line`,
    ].join('\n\n'),
  );
  const status = step.kind === 'rest' ? step.status : step.kind === 'feed' ? 'active' : survey.status;
  if (status === campaign.indexedStatus) return;
  campaign.indexedStatus = status;
  upsertSearchAttributes([{ key: searchAttributes.campaignStatus, value: status }]);
}
