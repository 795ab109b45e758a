/**
 * One webhook event on its way to one URL. The ledger in Postgres counts the attempts; Temporal keeps the time between them.
 */
import { sleep } from '@temporalio/workflow';
import { deliveries } from './activity-proxies';
import type { DeliveryInput } from './contract';

/** For the events of campaigns, and for what reconciliation finds; a call sees to its own. */
export async function deliveryWorkflow({ deliveryId }: DeliveryInput): Promise<void> {
  await deliveries.deliverUntilSettled({ deliveryId });
}

/** What is left to do once a call's own first attempt was refused, came to no answer in time, or was not made. */
export async function deliverLater(deliveryId: string, attemptAfterMs: number): Promise<void> {
  if (attemptAfterMs > 0) await sleep(attemptAfterMs, { summary: 'until the next webhook attempt' });
  await deliveries.deliverUntilSettled({ deliveryId });
}
