/** Repairs campaigns, deliveries, e-mails, inbound routes and rooms. */
import { recheckRoutes, overdueRoutes } from '../../db/calls/inbound-routes';
import { checkAgainAt, unsentMails } from '../../db/campaigns/completion-mails';
import * as overdue from '../../db/reconciliation/overdue';
import { DIALLING_STATUSES } from '../../domain/campaign-status';
import { campaignWindow } from '../../domain/rules/campaign-window';
import type { RuleProfile } from '../../domain/rules/profile';
import { signalWorkflows } from '../../runtime/signal-workflows';
import {
  WORKFLOW_TYPES,
  workflowId,
  type CampaignInput,
  type InboundRouteInput,
  type NotificationInput,
} from '../../workflows/contract';
import { ROUTE_SUMMARY } from '../../workflows/workflow-metadata';
import { CAMPAIGN_CHECK_MS, cancelFromWithin } from '../campaigns/steps';
import { startDelivery } from '../delivering/delivering';
import { pagesOf, pass, type Pass, type PassContext } from './pass';
import { reportStuck } from './stuck-workflows';

/** How often to check a campaign that is paused or outside its window. The campaign dials nothing, so this interval can be long. */
const RESTING_CAMPAIGN_CHECK_MS = 10 * 60_000;
/** Counted from the scheduled time of the next attempt. An early check does no harm, because the attempts of a delivery never overlap. */
const OVERDUE_DELIVERY_MS = 10_000;
/** How often to check unsent e-mails. Sending may take a day. */
const MAIL_CHECK_MS = 5 * 60_000;
/** How often to check an unregistered route. Its own workflow retries at the same time. */
const ROUTE_CHECK_MS = 60_000;
/** Grace period for an agent to leave the room of a finished call, and for the call of a new room to be recorded. */
const LEFT_OVER_MS = 30_000;

export const OTHER_PASSES: readonly Pass[] = [
  /**
   * Checks suspect campaigns. Starts a missing workflow, cancels a campaign whose workflow was terminated, and signals a running workflow
   * that stays silent although its window is open or the campaign's dates have passed.
   */
  pass({
    name: 'repairCampaigns',
    find: ({ db, startedAt: now, lateness }) =>
      pagesOf((last: overdue.SuspectCampaign | null) =>
        overdue.suspectCampaigns(db, {
          now,
          requestedBefore: now - lateness.lostMessageMs,
          after: last && last.campaignId,
        }),
      ),
    repair: repairCampaign,
    postpone: {
      which: 'repaired',
      until: ({ db, clock }, campaigns) =>
        overdue.recheckCampaigns(
          db,
          campaigns.map(({ campaignId }) => campaignId),
          { at: clock() + CAMPAIGN_CHECK_MS, restingAt: clock() + RESTING_CAMPAIGN_CHECK_MS },
        ),
    },
  }),
  /** Repeats lost refill signals. */
  pass({
    name: 'repairRefills',
    isUrgent: true,
    find: ({ db, startedAt, lateness }) =>
      pagesOf((last: string | null) =>
        overdue.unansweredRefills(db, startedAt - lateness.lostMessageMs, last),
      ),
    repair: ({ signals, log }, refillCampaignId) =>
      signalWorkflows(signals, log, { granted: [], refillCampaignId }),
  }),
  /** Starts a workflow for each overdue delivery whose call's workflow is closed or stuck. */
  pass({
    name: 'repairDeliveries',
    find: ({ db, startedAt }) => overdue.overdueDeliveries(db, startedAt - OVERDUE_DELIVERY_MS),
    repair: async (context, { deliveryId, callId, organizationId, campaignId }) => {
      const isOwned =
        callId !== null && (await context.workflows.state(workflowId.call(callId))) === 'running';
      if (!isOwned) await startDelivery(context, deliveryId, { organizationId, campaignId });
    },
  }),
  /** Starts a workflow for each ended campaign with unsent e-mails and no running workflow for them. */
  pass({
    name: 'repairMails',
    find: ({ db, startedAt }) => unsentMails(db, startedAt),
    repair: async ({ workflows }, campaignId) => {
      const id = workflowId.notification(campaignId);
      if ((await workflows.state(id)) === 'running') return;
      const input: NotificationInput = { campaignId };
      // If the previous workflow was terminated, a new one continues from the ledger.
      await workflows.startOnce(WORKFLOW_TYPES.notification, id, input, { againAfterClose: true });
    },
    postpone: {
      which: 'all',
      until: ({ db, clock }, campaignIds) => checkAgainAt(db, campaignIds, clock() + MAIL_CHECK_MS),
    },
  }),
  /** Starts the workflow of each route whose registration is overdue. */
  registration('repairInboundRoutes', 'unregistered'),
  /** Registers all routes again every hour, in case the carrier has lost them. */
  registration('renewInboundRoutes', 'registered'),
  /** Deletes leftover rooms, whose call is over or unknown, and removes their participants. */
  pass({
    name: 'repairLeftOvers',
    find: leftoverRooms,
    repair: async ({ telephony, log }, { carrierId, reference }) => {
      await telephony.hangUp(carrierId);
      // Don't log the name, because the name of a caller's room contains their number.
      log.warn({ call_id: reference }, 'a leftover room was deleted');
    },
  }),
];

async function repairCampaign(context: PassContext, campaign: overdue.SuspectCampaign): Promise<void> {
  const { campaignId, organizationId, agentId } = campaign;
  const { workflows, signals, log, clock, settings } = context;
  const id = workflowId.campaign(campaignId);
  const state = await workflows.state(id);
  if (state === 'stuck') await reportStuck(context, id, 'tasks fail');
  // The SDK may miss a timer that fires while a workflow task times out, so signal the workflow.
  if (state === 'running' && hasSomethingToDo(campaign, settings.ruleProfile, clock()))
    await signalWorkflows(signals, log, { granted: [], refillCampaignId: campaignId });
  if (state === 'running' || state === 'stuck') return;
  if (state === 'closed') await cancelFromWithin(context, campaignId, 'its workflow was terminated', clock());
  // If the workflow was terminated, a new one ends the remaining contacts and publishes the end.
  const input: CampaignInput = { campaignId, organizationId, agentId };
  await workflows.startOnce(WORKFLOW_TYPES.campaign, id, input, {
    againAfterClose: true,
    owner: input,
    summary: `campaign, organization ${organizationId}`,
  });
}

function hasSomethingToDo(
  campaign: overdue.SuspectCampaign,
  ofOperator: RuleProfile | null,
  now: number,
): boolean {
  const { phase } = campaignWindow(campaign, ofOperator, now).window;
  return DIALLING_STATUSES.includes(campaign.status) && (phase === 'open' || phase === 'over');
}

function registration(name: string, which: 'unregistered' | 'registered'): Pass {
  return pass({
    name,
    find: ({ db, startedAt }) => overdueRoutes(db, which, startedAt),
    repair: async ({ workflows }, { routeId, organizationId, agentId }) => {
      const id = workflowId.inboundRoute(routeId);
      if ((await workflows.state(id)) === 'running') return;
      const input: InboundRouteInput = { routeId };
      const owner = organizationId === null || agentId === null ? {} : { organizationId, agentId };
      // If the previous workflow has closed, a new one registers the current row.
      await workflows.startOnce(WORKFLOW_TYPES.inboundRoute, id, input, {
        againAfterClose: true,
        owner,
        summary: ROUTE_SUMMARY,
      });
    },
    postpone: {
      which: 'all',
      until: ({ db, startedAt: now }, routes) =>
        recheckRoutes(
          db,
          routes.map(({ routeId }) => routeId),
          { now, at: now + ROUTE_CHECK_MS },
        ),
    },
  });
}

async function leftoverRooms({
  db,
  telephony,
  startedAt,
}: PassContext): Promise<{ carrierId: string; reference: string | null }[]> {
  const before = startedAt - LEFT_OVER_MS;
  const held = (await telephony.held()).filter(({ heldSince }) => heldSince < before);
  if (held.length === 0) return [];
  const leftOver = await overdue.leftoverCalls(db, held, before);
  const references = new Map(held.map(({ carrierId, reference }) => [carrierId, reference]));
  return leftOver.map((carrierId) => ({ carrierId, reference: references.get(carrierId) ?? null }));
}
