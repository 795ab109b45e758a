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

/** Describes the engine's next step for people. Callers show the reason of a pause themselves. */
export function nextStepOf(campaign: CampaignSituation, now: number): string {
  if (campaign.endedAt !== null) return 'none; the campaign has ended';
  const step = nextStep(
    {
      status: campaign.status,
      statusReason: null,
      schedule: scheduleOf(campaign),
      contactsLeft: campaign.contactsLeft,
      nextDueAt: campaign.nextDueAt?.getTime() ?? null,
      waitingCalls: campaign.waitingCalls,
      liveCalls: campaign.liveCalls,
      // The last calls are processed within seconds, so this isn't worth a query over all calls of a large campaign.
      unconcludedCalls: 0,
      askedCalls: 0,
      endedContacts: campaign.completed + campaign.failed,
      total: campaign.total,
    },
    now,
  );
  return describeStep(step);
}
