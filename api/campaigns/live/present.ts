import type { CampaignProgress } from '../../../db/campaigns/progress';
import { FINAL_STATUSES, type FinalCallStatus } from '../../../domain/call-outcome';
import { scheduleOf, type StoredSchedule } from '../../../domain/calling-window';
import {
  CAMPAIGN_STATS,
  CAMPAIGN_STATUSES,
  statsOf,
  type CampaignStatus,
} from '../../../domain/campaign-status';
import { describeStep, nextStep } from '../../../domain/campaign-step';
import { iso } from '../../http/presenters/instant';
import { about, list, nullable, object, type ValueOf } from '../../http/schema/field';
import { id, integer, oneOf, text, timestamp } from '../../http/schema/kinds';
import { fieldOf } from '../../http/schema/shape';

export const campaignProgress = object(
  {
    campaign_id: id(),
    campaign_status: oneOf(...CAMPAIGN_STATUSES),
    status_reason: about(nullable(text()), 'Reason why the campaign is not dialling; null while it dials'),
    stats: fieldOf(CAMPAIGN_STATS),
    call_concurrency: about(integer(1), 'Maximum number of live calls of the campaign'),
    lines_in_use: about(integer(0), 'Number of calls that hold a line'),
    waiting_calls: about(integer(0), 'Number of calls that wait for a line'),
    calls_per_minute: about(integer(0), 'Calls dialled in the last minute'),
    outcomes: about(
      list(object({ call_status: oneOf(...FINAL_STATUSES), calls: integer(0) }, { name: 'CampaignOutcome' })),
      'Results of its calls. Updated less often for large campaigns',
    ),
    next_step: about(
      text(),
      'Next action of the engine, as text for people',
      'dialling; the window closes 14:29 UTC',
    ),
    next_redial_at: about(nullable(timestamp()), 'Due time of the next redial that is not yet due'),
    ended_at: nullable(timestamp()),
  },
  { name: 'CampaignProgress' },
);
export type CampaignProgressBody = ValueOf<typeof campaignProgress>;

export function presentProgress(
  campaign: CampaignProgress,
  outcomes: Partial<Record<FinalCallStatus, number>>,
  now: number,
): CampaignProgressBody {
  return {
    campaign_id: campaign.id,
    campaign_status: campaign.status,
    status_reason: campaign.statusReason,
    stats: statsOf(campaign),
    call_concurrency: campaign.concurrency,
    lines_in_use: campaign.liveCalls,
    waiting_calls: campaign.waitingCalls,
    calls_per_minute: campaign.dialledInLastMinute,
    outcomes: FINAL_STATUSES.flatMap((status) => {
      const calls = outcomes[status] ?? 0;
      return calls === 0 ? [] : [{ call_status: status, calls }];
    }),
    next_step: nextStepOf(campaign, now),
    next_redial_at: iso(campaign.nextDueAt),
    ended_at: iso(campaign.endedAt),
  };
}

interface CampaignSituation extends StoredSchedule {
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

/** Describes the engine's next step in words. Callers add the reason of a pause themselves. */
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
      requestedCalls: 0,
      endedContacts: campaign.completed + campaign.failed,
      total: campaign.total,
    },
    now,
  );
  return describeStep(step);
}
