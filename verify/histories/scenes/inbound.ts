/** Records a number that an agent answers and later gives up, and a caller who rings it and talks. */
import { WORKFLOW_TYPES, workflowId } from '../../../workflows/contract';
import { eventually } from '../eventually';
import { numberEnding } from '../numbers';
import type { Recording } from '../recording';
import type { Stage } from '../stage';

const OURS = '+918040001000';

export async function recordInbound(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  const route = await routeOf(stage, await customer.answer(OURS));
  await recording.keepClosed('inbound-route-set', route);
  const caller = numberEnding(0);
  await stage.ring(OURS, caller);
  const call = workflowId.call(await customer.callFrom(caller));
  await recording.untilSeen(call, 'TIMER_STARTED');
  await recording.keep('open-inbound-call-talks', call);
  await recording.keepClosed('inbound-call-completed', call);
  await customer.answer('');
  await recording.keepClosed('inbound-route-removed', route);
}

/** Returns the workflow of an agent's route, which is named after the route. */
function routeOf({ temporal }: Stage, agentId: string): Promise<string> {
  return eventually('the workflow of a route', async () => {
    const query = `WorkflowType = '${WORKFLOW_TYPES.inboundRoute}' AND AgentId = '${agentId}'`;
    for await (const found of temporal.workflow.list({ query })) return found.workflowId;
    return null;
  });
}
