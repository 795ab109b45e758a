import * as overdue from '../../db/reconciliation/overdue';
import { WORKFLOW_TYPES, workflowId, type DeliveryInput } from '../../workflows/contract';
import { DELIVERY_SUMMARY, type Owner } from '../../workflows/workflow-metadata';
import type { ActivityDependencies } from '../dependencies';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { OVERDUE_DELIVERY_MS } from './lateness';

/** Starts a workflow for each overdue delivery whose call's workflow is closed or stuck. */
export async function repairDeliveries(repair: Repair): Promise<void> {
  const { db, workflows, clock } = repair;
  const late = await overdue.overdueDeliveries(db, clock() - OVERDUE_DELIVERY_MS);
  await eachOf(repair, late, async ({ deliveryId, callId, organizationId, campaignId }) => {
    const isOwned = callId !== null && (await workflows.state(workflowId.call(callId))) === 'running';
    if (!isOwned) await startDelivery(repair, deliveryId, { organizationId, campaignId });
  });
}

export function startDelivery(
  { workflows }: Pick<ActivityDependencies, 'workflows'>,
  deliveryId: string,
  owner: Owner = {},
): Promise<void> {
  const input: DeliveryInput = { deliveryId };
  // After a terminated workflow, a new one continues from the ledger.
  return workflows.startOnce(WORKFLOW_TYPES.delivery, workflowId.delivery(deliveryId), input, {
    againAfterClose: true,
    owner,
    summary: DELIVERY_SUMMARY.again,
  });
}
