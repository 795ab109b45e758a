/**
 * One webhook event on its way to one URL. The ledger in Postgres counts the attempts; Temporal keeps the time between them.
 */
import { CancellationScope, setCurrentDetails, sleep } from '@temporalio/workflow';
import { firstDelivery, laterDeliveries } from './activity-proxies';
import type { DeliveryInput } from './contract';
import { unlessCancelled } from './unless-cancelled';
import { DELIVERY_DELAYS_MS, MAX_DELIVERY_ATTEMPTS } from './domain/delivery-schedule';

/** For the events of campaigns, and for what reconciliation finds; a call makes its own. */
export async function deliveryWorkflow({ deliveryId }: DeliveryInput): Promise<void> {
  // A cancellation that comes while it is made must not keep from what a replay finds in the history.
  const { settled } = await CancellationScope.nonCancellable(() => firstDelivery.deliverOnce({ deliveryId }));
  if (settled) return;
  setCurrentDetails('the receiver refused the webhook: it is tried again');
  await unlessCancelled(() => deliverLater(deliveryId));
}

/**
 * What is left to do after a first refusal is an activity of its own, so that operators see it wait: its retries follow the schedule,
 * and end with the ledger's fifth attempt.
 */
export async function deliverLater(deliveryId: string): Promise<void> {
  await sleep(DELIVERY_DELAYS_MS[1], { summary: `webhook attempt 2 of ${MAX_DELIVERY_ATTEMPTS}` });
  await laterDeliveries.deliverUntilSettled({ deliveryId });
}
