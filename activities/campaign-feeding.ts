/** What a campaign reads and writes while it dials. Each is one transaction, and may be run again. */
import * as calls from '../db/call-engine';
import { setEngineStatus, surveyCampaign, type CampaignSurvey as SurveyedRow } from '../db/campaign-engine';
import { announce } from '../workflows/announce';
import { finalStatusOf } from '../workflows/domain/call-outcome';
import { windowPhase } from '../workflows/domain/calling-window';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../workflows/domain/campaign-status';
import type { CampaignSurvey } from '../workflows/domain/campaign-step';
import { workflowTimeNow } from './activity-clock';
import { cancelFromWithin } from './campaign-ending';
import { scheduleOf, type StoredSchedule } from './campaign-schedule';
import type { ActivityDependencies } from './dependencies';
import { CAMPAIGN_LOOK_MS } from './reconciliation/lateness';

export type { ClaimedCall } from '../db/call-engine';

export function campaignFeedingActivities(deps: ActivityDependencies) {
  const { db, signals, log, clock } = deps;
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
      const row = await surveyCampaign(db, campaignId, { now, lookAt: clock() + CAMPAIGN_LOOK_MS });
      if (row === undefined) return null;
      return surveyed(row);
    },

    claimPage: async (input: {
      campaignId: string;
      now: number;
      dialUntil: number;
      limit: number;
    }): Promise<{ claimed: calls.ClaimedCall[]; more: boolean }> => {
      const { campaignId, dialUntil, limit } = input;
      const now = workflowTimeNow(input.now, clock);
      const isStillMeant = (outlook: StoredSchedule): boolean => {
        const window = windowPhase(scheduleOf(outlook), now);
        return window.phase === 'open' && window.closesAt === dialUntil;
      };
      const page = await calls.claimPage(db, campaignId, { now, dialUntil, limit, isStillMeant });
      await announce(signals, log, { granted: page.granted, refillCampaignId: null });
      return { claimed: page.claimed, more: page.more };
    },

    async registerWaiting(input: { clientId: string; callIds: string[]; now: number }): Promise<void> {
      const now = workflowTimeNow(input.now, clock);
      await announce(signals, log, await calls.registerWaiting(db, input.clientId, input.callIds, now));
      await tellEnded(deps, input.callIds);
    },

    async restCampaign(input: {
      campaignId: string;
      status: 'scheduled' | 'paused_out_of_range';
      reason: string;
      now: number;
    }): Promise<void> {
      const { campaignId, status, reason, now } = input;
      const phase = status === 'scheduled' ? 'ahead' : 'closed';
      const isStillMeant = (outlook: StoredSchedule): boolean =>
        windowPhase(scheduleOf(outlook), now).phase === phase;
      await setEngineStatus(db, campaignId, status, { reason, now, isStillMeant });
    },
  };
}

const surveyed = (row: SurveyedRow): CampaignSurvey => ({
  status: campaignStatus(row.status),
  statusReason: row.statusReason,
  schedule: scheduleOf(row),
  contactsLeft: row.contactsLeft,
  nextDueAt: row.nextDueAt?.getTime() ?? null,
  waitingCalls: row.waitingCalls,
  liveCalls: row.liveCalls,
  unconcludedCalls: row.unconcludedCalls,
  askedCalls: row.askedCalls,
  endedContacts: row.endedContacts,
  total: row.total,
});

/** A call that ended before its workflow was there to hear of it would wait for a line for ever. */
async function tellEnded({ db, signals, log }: ActivityDependencies, callIds: string[]): Promise<void> {
  for (const { callId, callStatus } of await calls.endedAmong(db, callIds)) {
    await announce(signals, log, {
      granted: [],
      refillCampaignId: null,
      ended: { callId, callStatus: finalStatusOf(callStatus) },
    });
  }
}

function campaignStatus(text: string): CampaignStatus {
  const status = CAMPAIGN_STATUSES.find((known) => known === text);
  if (status === undefined) throw new Error('a campaign has a status that is none');
  return status;
}
