/** What a campaign's workflow has received and shows, and how it waits. */
import {
  CancellationScope,
  condition,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
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
import { describeStep, type CampaignStep, type CampaignSurvey } from '../domain/campaign-step';
import { campaignSummary } from './workflow-metadata';

export interface Campaign {
  input: CampaignInput;
  /** How often something said: look again. */
  wakes: number;
  /** An operator cancelled the workflow: the same as a client's cancel, so that the rows say what happened. */
  cancelAsked: boolean;
  /** Instants at which it looks again: each has a timer. */
  alarms: Set<number>;
  indexedStatus: string;
  progress: CampaignProgress;
}

export function openCampaign(input: CampaignInput): Campaign {
  const campaign: Campaign = {
    input,
    wakes: 0,
    cancelAsked: false,
    alarms: new Set(),
    indexedStatus: input.indexedStatus ?? '',
    progress: { step: 'starting', endedContacts: 0, total: 0, liveCalls: 0, waitingCalls: 0 },
  };
  for (const signal of [pauseSignal, resumeSignal, cancelSignal, updateSignal, refillSignal]) {
    setHandler(signal, () => void (campaign.wakes += 1));
  }
  CancellationScope.current().cancelRequested.catch(() => {
    campaign.wakes += 1;
    campaign.cancelAsked = true;
  });
  setHandler(campaignProgressQuery, () => campaign.progress);
  return campaign;
}

/** What was known when the survey was asked for. */
export interface CampaignAsked {
  wakes: number;
  alarms: readonly number[];
}

/** Until something happened that the survey did not know of. */
export async function untilWoken(
  campaign: Campaign,
  asked: CampaignAsked,
  alarm?: { at: number; summary: string },
): Promise<void> {
  // By what was known then: a replay may have seen the timer of that instant fire by now, and the run had not.
  if (alarm !== undefined && !asked.alarms.includes(alarm.at)) setAlarm(campaign, alarm);
  await condition(() => campaign.wakes > asked.wakes);
}

/**
 * Set before a wait looks whether it is over already, and never cancelled: a replay may know of a signal where the run still waited, and the
 * history has its timer. One for each instant; one that is left over looks at the rows once more.
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
