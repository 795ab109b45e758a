import type { WorkflowClient } from '@temporalio/client';
import { workflowId } from '../../workflows/contract';
import { eventually } from './eventually';

/** Ids of the workflows that a campaign started, in their order. */
async function childrenOf(client: WorkflowClient, campaignId: string): Promise<string[]> {
  const { events } = await client.getHandle(workflowId.campaign(campaignId)).fetchHistory();
  return (events ?? []).flatMap(
    (event) => event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId ?? [],
  );
}

/** The workflow of a call that is not the one that talks: also one that never comes to be dialled. */
export function otherCall(client: WorkflowClient, campaignId: string, talking: string): Promise<string> {
  return eventually('another call of a campaign', async () => {
    const children = await childrenOf(client, campaignId);
    return children.findLast((id) => id !== workflowId.call(talking)) ?? null;
  });
}

/** The workflow that delivers what the campaign announced at its end. */
export function deliveryOf(client: WorkflowClient, campaignId: string): Promise<string> {
  return eventually('a delivery of a campaign', async () => {
    const children = await childrenOf(client, campaignId);
    return children.find((id) => id.startsWith(workflowId.delivery(''))) ?? null;
  });
}
