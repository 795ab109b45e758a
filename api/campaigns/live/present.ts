import type { CampaignProgress } from '../../../db/campaigns/progress';
import { FINAL_STATUSES, type FinalCallStatus } from '../../../domain/call-outcome';
import { statsOf } from '../../../domain/campaign-status';
import { iso } from '../../http/presenters/instant';
import { nextStepOf } from '../next-step';
import type { CampaignProgressBody } from './resource';

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
