import { orphanedCalls } from '../../db/calls/orphaned-calls';
import { LOOK_AGAIN_MS } from '../../domain/orphaned-call';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { signalEnd } from './signal-end';

/** Ends orphaned calls whose phone has come back or whose line was kept long enough. Each is checked some time after it was orphaned. */
export async function repairOrphanedCalls(repair: Repair): Promise<void> {
  const { db, clock } = repair;
  await eachOf(repair, await orphanedCalls(db, clock() - LOOK_AGAIN_MS), async (call) => {
    const callStatus = await repair.resolveOrphanedCall(call);
    if (callStatus === null) return;
    await signalEnd(repair, { callId: call.callId, callStatus });
  });
}
