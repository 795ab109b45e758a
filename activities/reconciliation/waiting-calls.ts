import { registerWaiting } from '../../db/calls/engine';
import * as overdue from '../../db/reconciliation/overdue';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { WORKFLOW_TYPES, workflowId, type CallInput } from '../../workflows/contract';
import type { Repair } from './repair';
import { endIfAbandoned } from './abandoned-call';
import { eachOf, eachPageOf } from './each-of';
import { LONG_WAIT_MS } from './lateness';
import { lookAgainIfLate } from './look-again';
import { reportStuck } from './stuck-workflows';

/** Starts the workflows of dispatched calls that have none because the API died, and ends calls whose workflow was terminated early. */
export async function repairDispatches(repair: Repair): Promise<void> {
  const { db, clock, lateness } = repair;
  const unstarted = await overdue.unstartedDispatches(db, clock() - lateness.lostMessageMs);
  await eachOf(repair, unstarted, (call) => repairDispatch(repair, call));
}

async function repairDispatch(
  repair: Repair,
  { callId, organizationId, agentId, dueAt, dialUntil }: overdue.UnstartedDispatch,
): Promise<void> {
  const { workflows, clock, settings } = repair;
  const state = await workflows.state(workflowId.call(callId));
  if (state === 'stuck') await reportStuck(repair, workflowId.call(callId), 'tasks fail');
  if (state === 'running') await lookAgainIfLate(repair, callId, dueAt);
  if (state === 'running' || state === 'stuck') return;
  // A call has only one workflow, and Temporal would reject a second start. So end the call.
  if (state === 'closed') return void (await endIfAbandoned(repair, callId));
  const leftMs = dialUntil === null ? Infinity : Math.max(1, dialUntil.getTime() - clock());
  const waitLimitMs = Math.min(settings.dispatchWaitLimitMs, leftMs);
  const input: CallInput = { callId, organizationId, agentId, waitLimitMs };
  await workflows.startOnce(WORKFLOW_TYPES.call, workflowId.call(callId), input, {
    owner: input,
    summary: `dispatched call, organization ${organizationId}`,
  });
}

/** Repairs calls that have a line but don't dial, because the signal was lost or the workflow is gone. */
export async function repairUnusedLines(repair: Repair): Promise<void> {
  const { db, signals, log, clock, lateness } = repair;
  const unused = await overdue.unusedLines(db, clock() - lateness.lostMessageMs);
  await eachOf(repair, unused, async ({ callId, grantedAt }) => {
    if (await endIfAbandoned(repair, callId)) return;
    await signalWorkflows(signals, log, { granted: [callId], refillCampaignId: null });
    await lookAgainIfLate(repair, callId, grantedAt);
  });
}

export async function repairLongWaits(repair: Repair): Promise<void> {
  const { db, clock, settings } = repair;
  const waiting = await overdue.longWaiting(db, clock() - LONG_WAIT_MS);
  const looked: string[] = [];
  try {
    await eachOf(repair, waiting, async ({ callId, isDispatched, since }) => {
      const isAbandoned = await endIfAbandoned(repair, callId);
      looked.push(callId);
      const lineBy = new Date(since.getTime() + settings.dispatchWaitLimitMs);
      if (!isAbandoned && isDispatched) await lookAgainIfLate(repair, callId, lineBy);
    });
  } finally {
    if (looked.length > 0) await overdue.markLookedAt(db, looked, clock());
  }
}

/** Grants free lines to waiting calls, after a missed hand-over or a raised maximum of the organization. */
export async function repairFreeLines(repair: Repair): Promise<void> {
  const { db, signals, log, clock } = repair;
  await eachPageOf(
    repair,
    (last: string | null) => overdue.organizationsWithIdleLines(db, clock(), last),
    (page) =>
      eachOf(repair, page, async (organizationId) =>
        signalWorkflows(signals, log, await registerWaiting(db, organizationId, [], clock())),
      ),
  );
}
