import { lookAgainAt } from '../../db/call-analyses';
import * as overdue from '../../db/reconciliation';
import { announce } from '../../workflows/announce';
import { WORKFLOW_TYPES, workflowId } from '../../workflows/contract';
import { finalStatusOf } from '../../workflows/domain/call-outcome';
import type { Repair } from '.';
import { startDelivery } from './deliveries';
import { eachOf } from './each-of';
import { ANALYSIS_LOOK_MS } from './lateness';

/** Calls that are over and were not processed: their workflow never heard, or is gone. */
export async function repairEndedCalls(repair: Repair): Promise<void> {
  const { db, clock, lateness } = repair;
  // One whose transcript cannot be had yet keeps no other from being processed, as their campaigns wait for it.
  const ended = await overdue.unconcludedCalls(db, clock() - lateness.silentMs, clock());
  await eachOf(repair, ended, (call) => repairEndedCall(repair, call));
}

async function repairEndedCall(
  repair: Repair,
  { callId, callStatus, isAsked }: overdue.UnconcludedCall,
): Promise<void> {
  const { db, signals, log, workflows, clock } = repair;
  const isRunning = (await workflows.state(workflowId.call(callId))) === 'running';
  if (isRunning && isAsked) return lookAgainAt(db, callId, clock() + ANALYSIS_LOOK_MS);
  if (isRunning) {
    const known = finalStatusOf(callStatus);
    await announce(signals, log, {
      granted: [],
      refillCampaignId: null,
      ended: { callId, callStatus: known },
    });
    return;
  }
  const { undelivered, callback } = await repair.concludeCall({
    callId,
    now: clock(),
    mayAnalyse: false,
    leavesDelivery: true,
  });
  if (callback !== null) {
    await workflows.startOnce(WORKFLOW_TYPES.call, workflowId.call(callback.callId), callback, {
      owner: callback,
      summary: `callback, client ${callback.clientId}`,
    });
  }
  if (undelivered !== null) await startDelivery(repair, undelivered);
}
