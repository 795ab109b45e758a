/** Repairs calls at every stage, from the start of their workflow until they are processed. */
import { checkAgainAt } from '../../db/calls/analyses';
import { registerWaiting } from '../../db/calls/engine';
import { unansweredHangUps } from '../../db/calls/hang-up';
import {
  recordStarted,
  unconfirmedCallers,
  unstartedCallers,
  type UnstartedCaller,
} from '../../db/calls/inbound-calls';
import { orphanedCalls } from '../../db/calls/orphaned-calls';
import * as overdue from '../../db/reconciliation/overdue';
import { endedAt } from '../../domain/call-end';
import type { CallStatus } from '../../domain/call-outcome';
import { inboundDeadlineMs } from '../../domain/inbound-call';
import { RECHECK_MS } from '../../domain/orphaned-call';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { WORKFLOW_TYPES, workflowId, type CallInput } from '../../workflows/contract';
import { callSummary } from '../../workflows/workflow-metadata';
import { startDelivery } from '../delivering/delivering';
import { endCallAs } from '../ending/call-ending';
import { endedCall, findingsOf, saveFindings } from '../ending/concluding';
import { CarrierUnreachable } from '../telephony/port';
import { pagesOf, pass, type Pass, type PassContext } from './pass';
import { reportStuck, SUSPECT_CHECK_MS, suspectForMs } from './stuck-workflows';

/** If a call waits longer than this for a line, its workflow may be missing. */
export const LONG_WAIT_MS = 60_000;
/** Longer than any call: the highest talk limit of 60 minutes plus a margin. */
export const LONGEST_CALL_MS = 65 * 60_000;
/** Longer than any unanswered caller waits. A carrier reports an incoming call for 31 s, and waits 5 s for each response. */
const CALLER_UNCONFIRMED_MS = 75_000;
/** How often to check a call that a language model is analysing, which may take minutes. */
const ANALYSIS_CHECK_MS = 60_000;
/** Grace period for a running workflow to conclude its call. It starts with the first repeated signal. */
const UNCONCLUDED_MS = 5 * 60_000;
/** The same grace period for a call that a language model analyses, which takes up to twenty minutes. */
const UNCONCLUDED_WITH_MODEL_MS = 30 * 60_000;
/** After this time, a call is concluded from its events even if the carrier is unreachable. */
const WITHOUT_CARRIER_MS = 10 * 60_000;

export const CALL_PASSES: readonly Pass[] = [
  /** Starts the missing workflows of accepted callers. Their API process died, or Temporal was unreachable. */
  pass({
    name: 'repairCallers',
    isUrgent: true,
    find: ({ db, startedAt, lateness }) => unstartedCallers(db, startedAt - lateness.lostMessageMs),
    repair: startCaller,
  }),
  /**
   * Starts the missing workflows of dispatched calls after the API died, and ends calls whose workflow was terminated before they queued
   * for a line.
   */
  pass({
    name: 'repairDispatches',
    isUrgent: true,
    find: ({ db, startedAt, lateness }) =>
      overdue.unstartedDispatches(db, startedAt - lateness.lostMessageMs),
    repair: startDispatch,
  }),
  /** Repairs calls that have a line but don't dial, because the signal was lost or the workflow is gone. */
  pass({
    name: 'repairUnusedLines',
    isUrgent: true,
    find: ({ db, startedAt, lateness }) =>
      overdue.unusedLines(db, { before: startedAt - lateness.lostMessageMs, now: startedAt }),
    repair: async (context, { callId, grantedAt }) => {
      if (await endIfAbandoned(context, callId)) return;
      const { signals, log } = context;
      // The workflow dials, because a direct dial was lost or couldn't finish.
      const workflowsOnly = { getHandle: (id: string) => signals.getHandle(id) };
      await signalWorkflows(workflowsOnly, log, { granted: [callId], refillCampaignId: null });
      await recheckIfLate(context, callId, grantedAt);
    },
  }),
  /** Repeats hang-ups of calls that are still live, because the signal was lost or the carrier was unreachable. */
  pass({
    name: 'repairHangUps',
    isUrgent: true,
    find: ({ db, startedAt, lateness }) => unansweredHangUps(db, startedAt - lateness.lostMessageMs),
    repair: endNow,
  }),
  /** Wakes the workflows of calls past their deadline. The workflow of a directly dialled call has no timer for it. */
  pass({
    name: 'repairLateCalls',
    find: ({ db, startedAt }) => overdue.lateCalls(db, startedAt),
    repair: endNow,
  }),
  /**
   * Ends orphaned calls whose phone has come back or whose line was kept long enough. The first check is 10 s after the call was orphaned.
   */
  pass({
    name: 'repairOrphanedCalls',
    isUrgent: true,
    find: ({ db, startedAt }) => orphanedCalls(db, startedAt - RECHECK_MS),
    repair: async (context, call) => {
      const callStatus = await context.resolveOrphanedCall(call);
      if (callStatus !== null) await signalEnd(context, { callId: call.callId, callStatus });
    },
  }),
  /** Looks up calls without recent events at the carrier, because their end may have been missed. */
  pass({
    name: 'repairSilentCalls',
    isUrgent: true,
    find: ({ db, startedAt, lateness }) =>
      overdue.silentCalls(db, { before: startedAt - lateness.silentMs, now: startedAt }),
    repair: lookUpSilent,
    // Also postpone calls whose look-up failed. If they stayed first, every pass would look up the same page and never reach the other
    // calls.
    postpone: { which: 'all', until: markChecked },
  }),
  /** Ends accepted inbound calls that the carrier doesn't have. It never got our response, and the callers have hung up. */
  pass({
    name: 'repairUnconfirmedCallers',
    find: ({ db, startedAt }) => unconfirmedCallers(db, startedAt - CALLER_UNCONFIRMED_MS),
    repair: endIfUnknown,
  }),
  /** Concludes finished calls that were not processed because their workflow was not signalled, is gone or is stuck. */
  pass({
    name: 'repairEndedCalls',
    isUrgent: true,
    find: ({ db, startedAt, lateness }) =>
      overdue.unconcludedCalls(db, startedAt - lateness.silentMs, startedAt),
    repair: conclude,
    // Put failed calls last in the next pass. Don't postpone the others, because that would also delay the check for leftover rooms.
    postpone: { which: 'failed', until: markChecked },
  }),
  /** Ends waiting calls whose workflow is gone, and signals dispatched calls that have waited too long. */
  pass({
    name: 'repairLongWaits',
    find: ({ db, startedAt }) => overdue.longWaiting(db, startedAt - LONG_WAIT_MS),
    repair: async (context, { callId, isDispatched, since }) => {
      const isAbandoned = await endIfAbandoned(context, callId);
      const lineBy = new Date(since.getTime() + context.settings.dispatchWaitLimitMs);
      if (!isAbandoned && isDispatched) await recheckIfLate(context, callId, lineBy);
    },
    postpone: { which: 'repaired', until: markChecked },
  }),
  /** Grants free lines to waiting calls, for example after a missed hand-over or after the organization's limit was raised. */
  pass({
    name: 'repairFreeLines',
    isUrgent: true,
    find: ({ db, clock }) =>
      pagesOf((last: string | null) => overdue.organizationsWithIdleLines(db, clock(), last)),
    repair: async ({ db, signals, log, clock }, organizationId) =>
      signalWorkflows(signals, log, await registerWaiting(db, organizationId, [], clock())),
  }),
];

function markChecked<Call extends { callId: string }>(
  { db, clock }: PassContext,
  calls: readonly Call[],
): Promise<void> {
  return overdue.markChecked(
    db,
    calls.map(({ callId }) => callId),
    clock(),
  );
}

async function startCaller(
  { db, workflows }: PassContext,
  { callId, organizationId, agentId, config, isOver }: UnstartedCaller,
): Promise<void> {
  const id = workflowId.call(callId);
  // If the call is over, other passes process it. If an operator has terminated its workflow, they hang it up.
  if (!isOver && (await workflows.state(id)) === 'missing') {
    const placed = { deadlineMs: inboundDeadlineMs(config) };
    const input: CallInput = { callId, organizationId, agentId, placed };
    await workflows.startOnce(WORKFLOW_TYPES.call, id, input, { owner: input, summary: callSummary(input) });
  }
  await recordStarted(db, callId);
}

async function startDispatch(
  context: PassContext,
  { callId, organizationId, agentId, dueAt, dialUntil }: overdue.UnstartedDispatch,
): Promise<void> {
  const { workflows, clock, settings } = context;
  const state = await workflows.state(workflowId.call(callId));
  if (state === 'stuck') await reportStuck(context, workflowId.call(callId), 'tasks fail');
  if (state === 'running') await recheckIfLate(context, callId, dueAt);
  if (state === 'running' || state === 'stuck') return;
  // A call has only one workflow, and Temporal would reject a second start. End the call instead.
  if (state === 'closed') return void (await endIfAbandoned(context, callId));
  const leftMs = dialUntil === null ? Infinity : Math.max(1, dialUntil.getTime() - clock());
  const waitLimitMs = Math.min(settings.dispatchWaitLimitMs, leftMs);
  const input: CallInput = { callId, organizationId, agentId, waitLimitMs };
  await workflows.startOnce(WORKFLOW_TYPES.call, workflowId.call(callId), input, {
    owner: input,
    summary: callSummary(input),
  });
}

/** Ends a call that was not dialled if its workflow is gone. Returns whether it ended the call. */
async function endIfAbandoned(context: PassContext, callId: string): Promise<boolean> {
  const id = workflowId.call(callId);
  const state = await context.workflows.state(id);
  // Don't end a stuck call, because it continues once its workflow code is fixed.
  if (state === 'stuck') await reportStuck(context, id, 'tasks fail');
  if (state === 'running' || state === 'stuck') return false;
  context.log.warn({ call_id: callId }, 'a call without a workflow was ended');
  const now = context.clock();
  await endCallAs(context, callId, endedAt(now, 'cancelled'), now);
  return true;
}

async function lookUpSilent(
  context: PassContext,
  { callId, isRequested, requestedAt }: overdue.SilentCall,
): Promise<void> {
  const { workflows, clock } = context;
  const callStatus = await context.lookUpSilentCall(callId);
  if (callStatus !== null) return signalEnd(context, { callId, callStatus });
  const id = workflowId.call(callId);
  const state = await workflows.state(id);
  // Don't end the conversation. The call is concluded without its workflow once it is over.
  if (state === 'stuck') await reportStuck(context, id, 'tasks fail');
  if (state === 'running' && isRequested) await recheck(context, callId);
  const isTooLong = clock() - requestedAt.getTime() > LONGEST_CALL_MS;
  if ((state === 'running' || state === 'stuck') && !isTooLong) return;
  // The workflow was terminated during the call, or missed the deadline. Hang up now. The next look-up finds the end.
  await context.stopCall({ callId, now: clock() });
  if (isTooLong) await context.resolveCall({ callId, giveUp: true, now: clock() });
}

async function endIfUnknown(context: PassContext, callId: string): Promise<void> {
  const { telephony, clock } = context;
  try {
    if ((await telephony.find(callId)).calls.length > 0) return;
  } catch (error) {
    if (error instanceof CarrierUnreachable) return;
    throw error;
  }
  const callStatus = await endCallAs(context, callId, endedAt(clock(), 'no_answer'), clock());
  await signalEnd(context, { callId, callStatus });
}

async function conclude(context: PassContext, call: overdue.UnconcludedCall): Promise<void> {
  if (await isLeftToWorkflow(context, call)) return;
  const { workflows, clock } = context;
  const mayLackCarrier = clock() - call.endedAt.getTime() > WITHOUT_CARRIER_MS;
  const ended = await endedCall(context, call.callId, () => mayLackCarrier);
  if (ended === undefined) return;
  const { delivery, callback } = await saveFindings(context, ended, findingsOf(context, ended, clock()));
  if (callback !== null) {
    await workflows.startOnce(WORKFLOW_TYPES.call, workflowId.call(callback.callId), callback, {
      owner: callback,
      summary: `callback, organization ${callback.organizationId}`,
    });
  }
  // Leave all attempts to the delivery's own workflow, because there may be many calls to conclude.
  if (delivery !== null) await startDelivery(context, delivery.id);
}

/**
 * Returns whether to leave the call to its running workflow, which gets a signal and a grace period. Concluding the call here does no harm,
 * because a workflow that recovers later finds it concluded.
 */
async function isLeftToWorkflow(
  context: PassContext,
  { callId, callStatus, isAsked }: overdue.UnconcludedCall,
): Promise<boolean> {
  const { db, workflows, clock } = context;
  const id = workflowId.call(callId);
  const state = await workflows.state(id);
  if (state !== 'running' && state !== 'stuck') return false;
  const graceMs = state === 'stuck' ? SUSPECT_CHECK_MS : isAsked ? UNCONCLUDED_WITH_MODEL_MS : UNCONCLUDED_MS;
  if ((await suspectForMs(context, id)) > graceMs) {
    await reportStuck(context, id, state === 'stuck' ? 'tasks fail' : 'does not conclude');
    return false;
  }
  if (isAsked) await checkAgainAt(db, callId, clock() + ANALYSIS_CHECK_MS);
  else await signalEnd(context, { callId, callStatus });
  return true;
}

/** Signals the workflow of a call that is over. Its line has already been handed over. */
const signalEnd = (
  { signals, log }: PassContext,
  ended: { callId: string; callStatus: CallStatus },
): Promise<void> => signalWorkflows(signals, log, { granted: [], refillCampaignId: null, ended });

/** Has the workflow end a call that is at the carrier. If the workflow is gone, hangs the call up. */
async function endNow(context: PassContext, callId: string): Promise<void> {
  if ((await context.workflows.state(workflowId.call(callId))) === 'running') await recheck(context, callId);
  else await context.stopCall({ callId, now: context.clock() });
}

const recheck = ({ signals, log }: PassContext, callId: string): Promise<void> =>
  signalWorkflows(signals, log, { granted: [], refillCampaignId: null, toRecheck: callId });

/**
 * Signals a call's workflow if its next step is long overdue, because the SDK may miss a timer that fires while a workflow task times out.
 * If the workflow is only slow, the signal causes one superfluous step.
 */
async function recheckIfLate(context: PassContext, callId: string, dueAt: Date): Promise<void> {
  if (context.clock() - dueAt.getTime() > LONG_WAIT_MS) await recheck(context, callId);
}
