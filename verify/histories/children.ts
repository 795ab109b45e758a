import type { WorkflowClient } from '@temporalio/client';
import { workflowId } from '../../workflows/contract';
import { eventually } from './eventually';
import { fetchRuns } from './fetch-history';

/** Ids of the workflows that a workflow started, over all its runs, in their order. */
async function childrenOf(client: WorkflowClient, id: string): Promise<string[]> {
  const events = (await fetchRuns(client, id)).flatMap((run) => run.events ?? []);
  return events.flatMap(
    (event) => event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId ?? [],
  );
}

/** The workflow of a call that is not the one that talks: also one that never comes to be dialled. */
export function otherCall(client: WorkflowClient, campaignId: string, talking: string): Promise<string> {
  return eventually('another call of a campaign', async () => {
    const children = await childrenOf(client, workflowId.campaign(campaignId));
    return children.findLast((id) => id !== workflowId.call(talking)) ?? null;
  });
}

/** The workflow that delivers what the campaign announced at its end. */
export function deliveryOf(client: WorkflowClient, campaignId: string): Promise<string> {
  return eventually('a delivery of a campaign', async () => {
    const children = await childrenOf(client, workflowId.campaign(campaignId));
    return children.find((id) => id.startsWith(workflowId.delivery(''))) ?? null;
  });
}

/** The workflow of the callback that was asked for in a dispatched call. */
export function callbackOf(client: WorkflowClient, callId: string): Promise<string> {
  return eventually('a callback', async () => {
    const [callback] = await childrenOf(client, workflowId.call(callId));
    return callback ?? null;
  });
}
