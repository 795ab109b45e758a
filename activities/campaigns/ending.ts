/** Activities that end a campaign. Each is one transaction and can be repeated. */
import { finishCampaign, withdrawRest, type FinishResult } from '../../db/campaigns/engine';
import { changeCampaignStatus, type CampaignStanding } from '../../db/campaigns/status';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { scheduleOf, windowPhase } from '../../domain/calling-window';
import { campaignEndedEvent, statusChangedEvents } from '../../domain/webhook-events';
import type { WithdrawalCause } from '../../domain/campaign-step';
import { CAMPAIGN_STATUSES, type FinalCampaignStatus } from '../../domain/campaign-status';
import type { ActivityDependencies } from '../dependencies';

const withdrawals = {
  cancelled: { contactState: 'cancelled', callStatus: 'cancelled', endReason: 'cancelled' },
  over: { contactState: 'expired', callStatus: 'expired', endReason: 'campaign_over' },
} as const;

/** Cancels a campaign on behalf of an operator, in the same way as the API does. */
export function cancelFromWithin(
  { db }: Pick<ActivityDependencies, 'db'>,
  campaignId: string,
  reason: string,
  now: number,
) {
  return changeCampaignStatus(db, {
    campaignId,
    to: 'cancelled',
    from: CAMPAIGN_STATUSES.filter((status) => status !== 'completed'),
    now,
    reason,
    announced: true,
    events: (before) => statusChangedEvents(before, 'cancelled', now),
  });
}

export function campaignEndingActivities(deps: ActivityDependencies) {
  const { db, signals, log, mail, settings } = deps;
  return {
    /**
     * Ends the contacts that were not dialled. If the campaign's dates are over, it first checks that they still are, because a person may
     * have paused and extended the campaign.
     */
    async withdrawRest({
      campaignId,
      why,
      now,
    }: {
      campaignId: string;
      why: WithdrawalCause;
      now: number;
    }): Promise<void> {
      const withdrawal = withdrawals[why];
      const { ended, granted } = await withdrawRest(db, campaignId, withdrawal, now, (standing) => {
        if (why === 'cancelled') return true;
        return standing.status !== 'paused' && windowPhase(scheduleOf(standing), now).phase === 'over';
      });
      await signalWorkflows(signals, log, { granted, refillCampaignId: null });
      for (const callId of ended) {
        await signalWorkflows(signals, log, {
          granted: [],
          refillCampaignId: null,
          ended: { callId, callStatus: withdrawal.callStatus },
        });
      }
    },

    finishCampaign({ campaignId, now }: { campaignId: string; now: number }): Promise<FinishResult> {
      const events = (campaign: CampaignStanding, status: FinalCampaignStatus) => [
        ...(status === 'completed' ? statusChangedEvents(campaign, status, now) : []),
        campaignEndedEvent(campaign, status, now),
      ];
      return finishCampaign(db, campaignId, now, events, {
        ...settings.mails,
        status: mail === null ? 'skipped' : 'pending',
      });
    },
  };
}
