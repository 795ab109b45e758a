/** Steps of a campaign. Each step is one transaction and can be repeated. */
import * as calls from '../../db/calls/engine';
import {
  finishCampaign,
  setEngineStatus,
  surveyCampaign,
  withdrawRest,
  type FinishResult,
} from '../../db/campaigns/engine';
import type { CampaignSnapshot, StepGuard } from '../../db/campaigns/snapshot';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { campaignWindow } from '../../domain/rules/campaign-window';
import {
  CAMPAIGN_STATUSES,
  type FinalCampaignStatus,
  type RestingStatus,
} from '../../domain/campaign-status';
import type { CampaignSurvey, WithdrawalCause } from '../../domain/campaign-step';
import { workflowTimeNow } from '../local-activity';
import type { ActivityDependencies } from '../dependencies';
import { changeCampaignStatus, type CampaignStanding } from '../../db/campaigns/status';
import { campaignEndedEvent, statusChangedEvents } from '../../domain/webhook-events';

export type { ClaimedCall } from '../../db/calls/engine';

/**
 * How often reconciliation checks a campaign. Each survey by the campaign's workflow postpones the check, so reconciliation finds a
 * terminated workflow within 70 s of its last survey.
 */
export const CAMPAIGN_CHECK_MS = 60_000;

const WITHDRAWALS = {
  cancelled: { contactState: 'cancelled', callStatus: 'cancelled', endReason: 'cancelled' },
  over: { contactState: 'expired', callStatus: 'expired', endReason: 'campaign_over' },
} as const;

export function campaignFeedingActivities(deps: ActivityDependencies) {
  const { db, signals, log, clock, settings } = deps;
  return {
    /** Returns null if the campaign's row was deleted. With `cancel`, it first cancels the campaign because an operator cancelled its workflow. */
    surveyCampaign: async ({
      campaignId,
      now,
      cancel = false,
    }: {
      campaignId: string;
      now: number;
      cancel?: boolean;
    }): Promise<CampaignSurvey | null> => {
      if (cancel) await cancelFromWithin(deps, campaignId, 'cancelled by an operator', clock());
      const checkAt = clock() + CAMPAIGN_CHECK_MS;
      return (
        (await surveyCampaign(db, campaignId, { now, checkAt, ofOperator: settings.ruleProfile })) ?? null
      );
    },

    /**
     * With `thenNewRun`, the campaign continues in a new run after starting these calls. Otherwise Temporal would report the end of each
     * call to this run, which costs an event and a workflow task per call.
     */
    claimPage: async (input: {
      campaignId: string;
      now: number;
      dialUntil: number;
      limit: number;
    }): Promise<{ claimed: calls.ClaimedCall[]; more: boolean; thenNewRun: boolean }> => {
      const { campaignId, dialUntil, limit } = input;
      const now = workflowTimeNow(input.now, clock);
      const openOf = (snapshot: CampaignSnapshot): calls.OpenZones | null => {
        const { window, openZones } = campaignWindow(snapshot, settings.ruleProfile, now);
        const isStillDue = window.phase === 'open' && (openZones !== null || window.closesAt === dialUntil);
        return isStillDue ? { zones: openZones } : null;
      };
      const page = await calls.claimPage(db, campaignId, { now, dialUntil, limit, openOf });
      await signalWorkflows(signals, log, { granted: page.granted, refillCampaignId: null });
      const thenNewRun = settings.newRunAfterCalls && page.claimed.length > 0;
      return { claimed: page.claimed, more: page.more, thenNewRun };
    },

    async registerWaiting(input: { organizationId: string; callIds: string[]; now: number }): Promise<void> {
      const now = workflowTimeNow(input.now, clock);
      await signalWorkflows(
        signals,
        log,
        await calls.registerWaiting(db, input.organizationId, input.callIds, now),
      );
      await signalEnded(deps, input.callIds);
    },

    async restCampaign(input: {
      campaignId: string;
      status: RestingStatus;
      reason: string;
      now: number;
    }): Promise<void> {
      const { campaignId, status, reason, now } = input;
      const phase = status === 'scheduled' ? 'ahead' : 'closed';
      const isStillDue: StepGuard = (snapshot) =>
        campaignWindow(snapshot, settings.ruleProfile, now).window.phase === phase;
      await setEngineStatus(db, campaignId, status, { reason, now, isStillDue });
    },
  };
}

export function campaignEndingActivities(deps: ActivityDependencies) {
  const { db, signals, log, mail, settings } = deps;
  return {
    /**
     * Ends the contacts that were not dialled. If the campaign's dates have passed, it checks them again first, because a person may have
     * paused the campaign and extended it.
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
      const withdrawal = WITHDRAWALS[why];
      const { ended, granted } = await withdrawRest(db, campaignId, withdrawal, now, (standing) => {
        if (why === 'cancelled') return true;
        const { window } = campaignWindow(standing, settings.ruleProfile, now);
        return standing.status !== 'paused' && window.phase === 'over';
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

/** Signals the workflows of calls that ended before their workflow started, because they would wait for a line forever. */
async function signalEnded({ db, signals, log }: ActivityDependencies, callIds: string[]): Promise<void> {
  for (const ended of await calls.endedAmong(db, callIds)) {
    await signalWorkflows(signals, log, { granted: [], refillCampaignId: null, ended });
  }
}

/** Cancels a campaign for an operator, just as the API does. */
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
    reported: true,
    events: (before) => statusChangedEvents(before, 'cancelled', now),
  });
}
