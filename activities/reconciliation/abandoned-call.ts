import { workflowId } from '../../workflows/contract';
import { endedAt } from '../../domain/call-end';
import { endCallAs } from '../ending/call-ending';
import type { Repair } from './repair';
import { reportStuck } from './stuck-workflows';

/** Ends a call that was not dialled if its workflow is gone. Returns whether it did. */
export async function endIfAbandoned(repair: Repair, callId: string): Promise<boolean> {
  const id = workflowId.call(callId);
  const state = await repair.workflows.state(id);
  // Don't end a stuck call, because it continues once its workflow code is fixed.
  if (state === 'stuck') await reportStuck(repair, id, 'tasks fail');
  if (state === 'running' || state === 'stuck') return false;
  repair.log.warn({ call_id: callId }, 'a call without a workflow was ended');
  const now = repair.clock();
  await endCallAs(repair, callId, endedAt(now, 'cancelled'), now);
  return true;
}
