import { lookAgainAt } from '../../db/calls/analyses';
import * as overdue from '../../db/reconciliation/overdue';
import { WORKFLOW_TYPES, workflowId } from '../../workflows/contract';
import type { Repair } from './repair';
import { startDelivery } from './deliveries';
import { eachOf } from './each-of';
import {
  ANALYSIS_LOOK_MS,
  SUSPECT_CHECK_MS,
  UNCONCLUDED_ASKED_MS,
  UNCONCLUDED_MS,
  WITHOUT_CARRIER_MS,
} from './lateness';
import { signalEnd } from './signal-end';
import { suspectForMs, reportStuck } from './stuck-workflows';

/** Concludes calls that are over and not processed because their workflow was not signalled, is gone or is stuck. */
export async function repairEndedCalls(repair: Repair): Promise<void> {
  const { db, clock, lateness } = repair;
  const ended = await overdue.unconcludedCalls(db, clock() - lateness.silentMs, clock());
  const failed: string[] = [];
  try {
    // A call whose transcript is not available yet must not delay the others, because their campaigns wait for them.
    await eachOf(repair, ended, async (call) => {
      failed.push(call.callId);
      await repairEndedCall(repair, call);
      failed.pop();
    });
  } finally {
    // Failed calls come last in the next pass. Don't mark the others, because a mark also delays the check for leftover rooms.
    if (failed.length > 0) await overdue.markLookedAt(db, failed, clock());
  }
}

async function repairEndedCall(repair: Repair, call: overdue.UnconcludedCall): Promise<void> {
  if (await isItsWorkflows(repair, call)) return;
  const { workflows, clock } = repair;
  const { undelivered, callback } = await repair.concludeCall({
    callId: call.callId,
    now: clock(),
    mayAnalyse: false,
    leavesDelivery: true,
    goesWithoutCarrier: clock() - call.endedAt.getTime() > WITHOUT_CARRIER_MS,
  });
  if (callback !== null) {
    await workflows.startOnce(WORKFLOW_TYPES.call, workflowId.call(callback.callId), callback, {
      owner: callback,
      summary: `callback, organization ${callback.organizationId}`,
    });
  }
  if (undelivered !== null) await startDelivery(repair, undelivered);
}

/**
 * Returns whether to leave the call to its running workflow, which gets a signal and a grace period. Concluding the call without the workflow is
 * safe, because a workflow that recovers finds the call concluded.
 */
async function isItsWorkflows(
  repair: Repair,
  { callId, callStatus, isAsked }: overdue.UnconcludedCall,
): Promise<boolean> {
  const { db, workflows, clock } = repair;
  const id = workflowId.call(callId);
  const state = await workflows.state(id);
  if (state !== 'running' && state !== 'stuck') return false;
  const graceMs = state === 'stuck' ? SUSPECT_CHECK_MS : isAsked ? UNCONCLUDED_ASKED_MS : UNCONCLUDED_MS;
  const isStuck = (await suspectForMs(repair, id)) > graceMs;
  if (isStuck) {
    await reportStuck(repair, id, state === 'stuck' ? 'tasks fail' : 'does not conclude');
    return false;
  }
  if (isAsked) await lookAgainAt(db, callId, clock() + ANALYSIS_LOOK_MS);
  else {
    await signalEnd(repair, { callId, callStatus });
  }
  return true;
}
