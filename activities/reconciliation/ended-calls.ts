import * as overdue from '../../db/reconciliation';
import { announce } from '../../workflows/announce';
import { WORKFLOW_TYPES, workflowId } from '../../workflows/contract';
import { finalStatusOf } from '../../workflows/domain/call-outcome';
import type { Repair } from '.';
import { startDelivery } from './deliveries';

/** Calls that are over and were not processed: their workflow never heard, or is gone. */
export async function repairEndedCalls(repair: Repair): Promise<void> {
  const { db, signals, log, workflows, clock, lateness } = repair;
  for (const { callId, callStatus } of await overdue.unconcludedCalls(db, clock() - lateness.silentMs)) {
    if ((await workflows.state(workflowId.call(callId))) === 'running') {
      const known = finalStatusOf(callStatus);
      await announce(signals, log, {
        granted: [],
        refillCampaignId: null,
        ended: { callId, callStatus: known },
      });
      continue;
    }
    const { undelivered, callback } = await repair.concludeCall({
      callId,
      now: clock(),
      leavesDelivery: true,
    });
    if (callback !== null)
      await workflows.startOnce(WORKFLOW_TYPES.call, workflowId.call(callback.callId), callback);
    if (undelivered !== null) await startDelivery(repair, undelivered);
  }
}
