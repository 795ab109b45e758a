import { scheduleOf, type StoredSchedule } from '../../domain/calling-window';
import type { CampaignStatus } from '../../domain/campaign-status';
import { describeStep, nextStep } from '../../domain/campaign-step';

export interface CampaignSituation extends StoredSchedule {
  status: CampaignStatus;
  endedAt: Date | null;
  contactsLeft: boolean;
  nextDueAt: Date | null;
  waitingCalls: number;
  liveCalls: number;
  total: number;
  completed: number;
  failed: number;
}

/** What the engine does with the campaign next, for people. The reason of a pause is left to who shows it. */
export function nextStepOf(campaign: CampaignSituation, now: number): string {
  if (campaign.endedAt !== null) return 'none: it is over';
  const step = nextStep(
    {
      status: campaign.status,
      statusReason: null,
      schedule: scheduleOf(campaign),
      contactsLeft: campaign.contactsLeft,
      nextDueAt: campaign.nextDueAt?.getTime() ?? null,
      waitingCalls: campaign.waitingCalls,
      liveCalls: campaign.liveCalls,
      // The last calls are processed within seconds: not worth a look at each of a large campaign's calls.
      unconcludedCalls: 0,
      askedCalls: 0,
      endedContacts: campaign.completed + campaign.failed,
      total: campaign.total,
    },
    now,
  );
  return describeStep(step);
}
