import { strandedCalls } from '../../db/calls/stranded-calls';
import { LOOK_AGAIN_MS } from '../../domain/stranded-call';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { signalEnd } from './signal-end';

/** Calls whose phone was lost: those that came back, and those whose line was kept long enough. Each is looked at a while after it was lost first. */
export async function repairStrandedCalls(repair: Repair): Promise<void> {
  const { db, clock } = repair;
  await eachOf(repair, await strandedCalls(db, clock() - LOOK_AGAIN_MS), async (call) => {
    const callStatus = await repair.settleStrandedCall(call);
    if (callStatus === null) return;
    await signalEnd(repair, { callId: call.callId, callStatus });
  });
}
