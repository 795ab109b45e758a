import { lookAgainAt } from '../../db/calls/analyses';
import * as overdue from '../../db/reconciliation/overdue';
import { WORKFLOW_TYPES, workflowId } from '../../workflows/contract';
import type { Repair } from './repair';
import { startDelivery } from './deliveries';
import { eachOf } from './each-of';
import {
  ANALYSIS_LOOK_MS,
  DOUBT_LOOK_MS,
  UNCONCLUDED_ASKED_MS,
  UNCONCLUDED_MS,
  WITHOUT_CARRIER_MS,
} from './lateness';
import { signalEnd } from './signal-end';
import { doubtedForMs, reportStuck } from './stuck-workflows';

/** Calls that are over and were not processed: their workflow was never signalled, is gone, or is stuck. */
export async function repairEndedCalls(repair: Repair): Promise<void> {
  const { db, clock, lateness } = repair;
  const ended = await overdue.unconcludedCalls(db, clock() - lateness.silentMs, clock());
  const failed: string[] = [];
  try {
    // One whose transcript cannot be had yet keeps no other from being processed, as their campaigns wait for it.
    await eachOf(repair, ended, async (call) => {
      failed.push(call.callId);
      await repairEndedCall(repair, call);
      failed.pop();
    });
  } finally {
    // They come last the next time. Only they: a mark also puts off the look at a room that the call left behind.
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
      summary: `callback, client ${callback.clientId}`,
    });
  }
  if (undelivered !== null) await startDelivery(repair, undelivered);
}

/**
 * Whether its workflow runs and is left to conclude it: it is signalled, and given some time from the first look. After that it is reported, and
 * the call is concluded without it, which may be done twice: a workflow that recovers finds the call concluded and its delivery in the ledger.
 */
async function isItsWorkflows(
  repair: Repair,
  { callId, callStatus, isAsked }: overdue.UnconcludedCall,
): Promise<boolean> {
  const { db, workflows, clock } = repair;
  const id = workflowId.call(callId);
  const state = await workflows.state(id);
  if (state !== 'running' && state !== 'stuck') return false;
  const graceMs = state === 'stuck' ? DOUBT_LOOK_MS : isAsked ? UNCONCLUDED_ASKED_MS : UNCONCLUDED_MS;
  const isStuck = (await doubtedForMs(repair, id)) > graceMs;
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
