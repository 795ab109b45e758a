/**
 * One webhook event on its way to one URL. The ledger in Postgres counts the attempts; Temporal keeps the time between them.
 */
import { sleep } from '@temporalio/workflow';
import { firstDelivery, laterDeliveries } from './activity-proxies';
import type { DeliveryInput } from './contract';
import { DELIVERY_DELAYS_MS, MAX_DELIVERY_ATTEMPTS } from './domain/delivery-schedule';

export async function deliveryWorkflow({ deliveryId }: DeliveryInput): Promise<void> {
  await deliver(deliveryId);
}

/**
 * The first attempt is made at once, within the current workflow task, as nearly all are accepted. What is left to do after a refusal
 * is an activity of its own, so that operators see it wait: its retries follow the schedule, and end with the ledger's fifth attempt.
 */
export async function deliver(deliveryId: string): Promise<void> {
  const first = await firstDelivery.deliverOnce({ deliveryId });
  if (first.settled) return;
  await sleep(DELIVERY_DELAYS_MS[1], { summary: `webhook attempt 2 of ${MAX_DELIVERY_ATTEMPTS}` });
  await laterDeliveries.deliverUntilSettled({ deliveryId });
}
