import * as overdue from '../../db/reconciliation/overdue';
import { workflowId } from '../../workflows/contract';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { LONGEST_CALL_MS } from './lateness';
import { lookAgainIfLate } from './look-again';
import { signalEnd } from './signal-end';
import { reportStuck } from './stuck-workflows';

/** Looks up calls at the carrier without recent events, because their end may have been missed. */
export async function repairSilentCalls(repair: Repair): Promise<void> {
  const { db, clock, lateness } = repair;
  const silent = await overdue.silentCalls(db, clock() - lateness.silentMs);
  const lookedUp: string[] = [];
  try {
    await eachOf(repair, silent, (call) => {
      // Count failed look-ups too, or the same page of calls would be looked up every time and the others never.
      lookedUp.push(call.callId);
      return repairSilentCall(repair, call);
    });
  } finally {
    if (lookedUp.length > 0) await overdue.markLookedAt(db, lookedUp, clock());
  }
}

async function repairSilentCall(
  repair: Repair,
  { callId, isAsking, askedAt }: overdue.SilentCall,
): Promise<void> {
  const { workflows, clock } = repair;
  const callStatus = await repair.lookUpSilentCall(callId);
  if (callStatus !== null) {
    await signalEnd(repair, { callId, callStatus });
    return;
  }
  const id = workflowId.call(callId);
  const state = await workflows.state(id);
  // Don't end the conversation. The call is concluded without its workflow once it is over.
  if (state === 'stuck') await reportStuck(repair, id, 'tasks fail');
  if (state === 'running' && isAsking) await lookAgainIfLate(repair, callId, askedAt);
  const isTooLong = clock() - askedAt.getTime() > LONGEST_CALL_MS;
  if ((state === 'running' || state === 'stuck') && !isTooLong) return;
  // The workflow was terminated during the call, or missed the deadline. Hang up, and the next look-up finds the end.
  await repair.stopCall({ callId, now: clock() });
  if (isTooLong) await repair.resolveCall({ callId, giveUp: true, now: clock() });
}
