import * as overdue from '../../db/reconciliation/overdue';
import { WORKFLOW_TYPES, workflowId, type DeliveryInput } from '../../workflows/contract';
import { DELIVERY_SUMMARY, type Owner } from '../../workflows/workflow-metadata';
import type { ActivityDependencies } from '../dependencies';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { OVERDUE_DELIVERY_MS } from './lateness';

/** Deliveries that nobody makes any more, or whose call's workflow is stuck, get a workflow of their own: attempts are made in turn. */
export async function repairDeliveries(repair: Repair): Promise<void> {
  const { db, workflows, clock } = repair;
  const late = await overdue.overdueDeliveries(db, clock() - OVERDUE_DELIVERY_MS);
  await eachOf(repair, late, async ({ deliveryId, callId, clientId, campaignId }) => {
    const isOwned = callId !== null && (await workflows.state(workflowId.call(callId))) === 'running';
    if (!isOwned) await startDelivery(repair, deliveryId, { clientId, campaignId });
  });
}

export function startDelivery(
  { workflows }: Pick<ActivityDependencies, 'workflows'>,
  deliveryId: string,
  owner: Owner = {},
): Promise<void> {
  const input: DeliveryInput = { deliveryId };
  // Again after a terminated one: the ledger says what is left to do.
  return workflows.startOnce(WORKFLOW_TYPES.delivery, workflowId.delivery(deliveryId), input, {
    againAfterClose: true,
    owner,
    summary: DELIVERY_SUMMARY.again,
  });
}
