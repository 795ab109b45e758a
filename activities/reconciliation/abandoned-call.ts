import { workflowId } from '../../workflows/contract';
import { endedAt } from '../../workflows/domain/call-end';
import { endCallAs } from '../call-ending';
import type { Repair } from '.';

/** Whether the workflow of a call that was not dialled is gone. The call is ended here then, as nobody else will. */
export async function endIfAbandoned(repair: Repair, callId: string): Promise<boolean> {
  if ((await repair.workflows.state(workflowId.call(callId))) === 'running') return false;
  repair.log.warn({ call_id: callId }, 'a call without a workflow was ended');
  const now = repair.clock();
  await endCallAs(repair, callId, endedAt(now, 'cancelled'), now);
  return true;
}
