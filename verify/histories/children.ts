import type { WorkflowClient } from '@temporalio/client';
import { workflowId } from '../../workflows/contract';
import { eventually } from './eventually';
import { fetchRuns } from './fetch-history';

/** Returns the ids of all children of a workflow over all its runs, in order. */
async function childrenOf(client: WorkflowClient, id: string): Promise<string[]> {
  const events = (await fetchRuns(client, id)).flatMap((run) => run.events ?? []);
  return events.flatMap(
    (event) => event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId ?? [],
  );
}

/** Returns the workflow of a call other than `talking`, even if that call is never dialled. */
export function otherCall(client: WorkflowClient, campaignId: string, talking: string): Promise<string> {
  return eventually('another call of a campaign', async () => {
    const children = await childrenOf(client, workflowId.campaign(campaignId));
    return children.findLast((id) => id !== workflowId.call(talking)) ?? null;
  });
}

/** Returns the workflow that delivers the event about the campaign's end. */
export function deliveryOf(client: WorkflowClient, campaignId: string): Promise<string> {
  return eventually('a delivery of a campaign', async () => {
    const children = await childrenOf(client, workflowId.campaign(campaignId));
    return children.find((id) => id.startsWith(workflowId.delivery(''))) ?? null;
  });
}

/** Returns the workflow of the callback that the callee of a dispatched call requested. */
export function callbackOf(client: WorkflowClient, callId: string): Promise<string> {
  return eventually('a callback', async () => {
    const [callback] = await childrenOf(client, workflowId.call(callId));
    return callback ?? null;
  });
}
