import { unansweredHangUps } from '../../db/calls/hang-up';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { workflowId } from '../../workflows/contract';
import type { Repair } from './repair';
import { eachOf } from './each-of';

/** Repeats hang-ups of calls that are still live, because the signal was lost or the carrier was unreachable. */
export async function repairHangUps(repair: Repair): Promise<void> {
  const { db, signals, log, workflows, clock, lateness } = repair;
  await eachOf(repair, await unansweredHangUps(db, clock() - lateness.lostMessageMs), async (callId) => {
    if ((await workflows.state(workflowId.call(callId))) === 'running') {
      await signalWorkflows(signals, log, { granted: [], refillCampaignId: null, toHangUp: callId });
    } else await repair.stopCall({ callId, now: clock() });
  });
}
