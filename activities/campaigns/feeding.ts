/** What a campaign reads and writes while it dials. Each is one transaction, and may be run again. */
import * as calls from '../../db/calls/engine';
import { setEngineStatus, surveyCampaign } from '../../db/campaigns/engine';
import type { StepGuard } from '../../db/campaigns/snapshot';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { scheduleOf, windowPhase } from '../../domain/calling-window';
import type { RestingStatus } from '../../domain/campaign-status';
import type { CampaignSurvey } from '../../domain/campaign-step';
import { workflowTimeNow } from '../activity-clock';
import { cancelFromWithin } from './ending';
import type { ActivityDependencies } from '../dependencies';
import { CAMPAIGN_LOOK_MS } from '../reconciliation/lateness';

export type { ClaimedCall } from '../../db/calls/engine';

export function campaignFeedingActivities(deps: ActivityDependencies) {
  const { db, signals, log, clock, settings } = deps;
  return {
    /** Null for a campaign that was taken back. With `cancel` its row says first that an operator cancelled its workflow. */
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
      return (await surveyCampaign(db, campaignId, { now, lookAt: clock() + CAMPAIGN_LOOK_MS })) ?? null;
    },

    /**
     * `thenNewRun`: once these calls are started, the campaign goes on in a new run. The server reports the end of a child only to the run that
     * started it, and each report is an event and a workflow task that changes nothing.
     */
    claimPage: async (input: {
      campaignId: string;
      now: number;
      dialUntil: number;
      limit: number;
    }): Promise<{ claimed: calls.ClaimedCall[]; more: boolean; thenNewRun: boolean }> => {
      const { campaignId, dialUntil, limit } = input;
      const now = workflowTimeNow(input.now, clock);
      const isStillDue: StepGuard = (snapshot) => {
        const window = windowPhase(scheduleOf(snapshot), now);
        return window.phase === 'open' && window.closesAt === dialUntil;
      };
      const page = await calls.claimPage(db, campaignId, { now, dialUntil, limit, isStillDue });
      await signalWorkflows(signals, log, { granted: page.granted, refillCampaignId: null });
      const thenNewRun = settings.newRunAfterCalls && page.claimed.length > 0;
      return { claimed: page.claimed, more: page.more, thenNewRun };
    },

    async registerWaiting(input: { clientId: string; callIds: string[]; now: number }): Promise<void> {
      const now = workflowTimeNow(input.now, clock);
      await signalWorkflows(
        signals,
        log,
        await calls.registerWaiting(db, input.clientId, input.callIds, now),
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
      const isStillDue: StepGuard = (snapshot) => windowPhase(scheduleOf(snapshot), now).phase === phase;
      await setEngineStatus(db, campaignId, status, { reason, now, isStillDue });
    },
  };
}

/** A call that ended before its workflow could be signalled would wait for a line for ever. */
async function signalEnded({ db, signals, log }: ActivityDependencies, callIds: string[]): Promise<void> {
  for (const ended of await calls.endedAmong(db, callIds)) {
    await signalWorkflows(signals, log, { granted: [], refillCampaignId: null, ended });
  }
}
