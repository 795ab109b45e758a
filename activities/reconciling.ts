/**
 * Repairs what a crash between a transaction and the message about it left behind. Every repair is one that may be made twice: a
 * signal that was not lost after all, or a start of what runs already, changes nothing.
 */
import * as calls from '../db/call-engine';
import { changeCampaignStatus } from '../db/campaign-status';
import * as overdue from '../db/reconciliation';
import { announce } from '../workflows/announce';
import {
  WORKFLOW_TYPES,
  workflowId,
  type CallInput,
  type CampaignInput,
  type DeliveryInput,
} from '../workflows/contract';
import { CAMPAIGN_STATUSES } from '../workflows/domain/campaign-status';
import { FINAL_STATUSES, type CallStatus, type EndReason } from '../workflows/domain/call-outcome';
import { statusChangedEvents } from '../workflows/domain/webhook-events';
import { endCallAs } from './call-ending';
import type { ActivityDependencies } from './dependencies';
import type { concludingActivities } from './concluding';
import type { settlingActivities } from './settling';

/** How long something may be under way before it counts as lost. */
const LOST_MESSAGE_MS = 3_000;
const SILENT_MS = 20_000;
const LONG_WAIT_MS = 60_000;
const OVERDUE_DELIVERY_MS = 30_000;

type Others = ReturnType<typeof settlingActivities> & ReturnType<typeof concludingActivities>;

export function reconcilingActivities(deps: ActivityDependencies, others: Others) {
  const { db, signals, workflows, log, clock, settings } = deps;

  const tellEnded = (callId: string, callStatus: CallStatus) =>
    announce(signals, log, { granted: [], refillCampaignId: null, ended: { callId, callStatus } });

  /** Whether the workflow of a call is gone; the call is then ended here. */
  async function endIfAbandoned(callId: string, endReason: EndReason): Promise<boolean> {
    if ((await workflows.state(workflowId.call(callId))) === 'running') return false;
    log.warn({ call_id: callId }, 'a call without a workflow was ended');
    await endCallAs(deps, callId, { endReason, endedAt: new Date(clock()).toISOString() }, clock());
    return true;
  }

  async function repairSilentCalls(): Promise<void> {
    const silent = await overdue.silentCalls(db, clock() - SILENT_MS);
    for (const callId of silent) {
      const callStatus = await others.lookUpSilentCall(callId);
      if (callStatus !== null) await tellEnded(callId, callStatus);
      else if ((await workflows.state(workflowId.call(callId))) !== 'running') {
        // Terminated in mid-call: nobody waits for its end any more, so hang up; what is left is written off at the next look.
        const stopped = await others.stopCall({ callId, now: clock() });
        if (stopped === null) await others.settleCall({ callId, giveUp: true, now: clock() });
      }
    }
    if (silent.length > 0) await overdue.markHeard(db, silent, clock());
  }

  async function repairWaitingCalls(): Promise<void> {
    for (const { callId, clientId, agentId } of await overdue.unstartedDispatches(
      db,
      clock() - LOST_MESSAGE_MS,
    )) {
      const input: CallInput = { callId, clientId, agentId, waitLimitMs: settings.dispatchWaitLimitMs };
      await workflows.startOnce(WORKFLOW_TYPES.call, workflowId.call(callId), input);
    }
    for (const callId of await overdue.unusedLines(db, clock() - LOST_MESSAGE_MS)) {
      if (await endIfAbandoned(callId, 'cancelled')) continue;
      await announce(signals, log, { granted: [callId], refillCampaignId: null });
    }
    const waiting = await overdue.longWaiting(db, clock() - LONG_WAIT_MS);
    for (const callId of waiting) await endIfAbandoned(callId, 'cancelled');
    if (waiting.length > 0) await overdue.markHeard(db, waiting, clock());
    for (const clientId of await overdue.clientsWaiting(db)) {
      await announce(signals, log, await calls.registerWaiting(db, clientId, [], clock()));
    }
  }

  async function repairEndedCalls(): Promise<void> {
    for (const { callId, callStatus } of await overdue.unconcludedCalls(db, clock() - SILENT_MS)) {
      if ((await workflows.state(workflowId.call(callId))) === 'running') {
        await tellEnded(callId, FINAL_STATUSES.find((status) => status === callStatus) ?? 'error');
        continue;
      }
      const { deliveryId } = await others.concludeCall({ callId, now: clock() });
      if (deliveryId !== null) await startDelivery(deliveryId);
    }
  }

  function startDelivery(deliveryId: string): Promise<void> {
    const input: DeliveryInput = { deliveryId };
    return workflows.startOnce(WORKFLOW_TYPES.delivery, workflowId.delivery(deliveryId), input);
  }

  return {
    async reconcileCalls(): Promise<void> {
      await repairWaitingCalls();
      await repairSilentCalls();
      await repairEndedCalls();
    },

    async reconcileCampaigns(): Promise<void> {
      for (const { campaignId, clientId, agentId } of await overdue.openCampaigns(
        db,
        clock() - LOST_MESSAGE_MS,
      )) {
        const id = workflowId.campaign(campaignId);
        const state = await workflows.state(id);
        if (state === 'running') continue;
        const input: CampaignInput = { campaignId, clientId, agentId };
        if (state === 'closed') {
          // Terminated: nobody feeds it any more. It ends as a cancelled one, by a new run that tidies up.
          const now = clock();
          await changeCampaignStatus(db, {
            campaignId,
            to: 'cancelled',
            from: CAMPAIGN_STATUSES.filter((status) => status !== 'completed'),
            now,
            reason: 'its workflow was terminated',
            announced: true,
            events: (before) => statusChangedEvents(before, 'cancelled', now),
          });
        }
        await workflows.startOnce(WORKFLOW_TYPES.campaign, id, input, { againAfterClose: true });
      }
      for (const campaignId of await overdue.unansweredRefills(db, clock() - LOST_MESSAGE_MS)) {
        await announce(signals, log, { granted: [], refillCampaignId: campaignId });
      }
    },

    async reconcileDeliveries(): Promise<void> {
      for (const { deliveryId, callId } of await overdue.overdueDeliveries(
        db,
        clock() - OVERDUE_DELIVERY_MS,
      )) {
        const owned = callId !== null && (await workflows.state(workflowId.call(callId))) === 'running';
        if (!owned) await startDelivery(deliveryId);
      }
    },
  };
}
