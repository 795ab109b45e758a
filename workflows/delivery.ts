/** Delivers one webhook event to one URL. The ledger in Postgres counts the attempts, and Temporal times the delays between them. */
import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { DeliveryInput } from './contract';

/**
 * The activity itself sets the delay before the next attempt (`nextRetryDelay`), so this interval applies only after a worker has died. The
 * ledger ends the activity after the fifth attempt.
 */
const deliveries = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '5s', backoffCoefficient: 1 },
  summary: 'webhook attempts',
});

/** Delivers campaign events and deliveries that reconciliation finds. A call's workflow delivers its own webhook. */
export async function deliveryWorkflow({ deliveryId }: DeliveryInput): Promise<void> {
  await deliveries.deliverUntilDone({ deliveryId });
}

/** Continues the delivery of a call's webhook that was not accepted while the call was processed. */
export async function deliverLater(deliveryId: string, attemptAfterMs: number): Promise<void> {
  if (attemptAfterMs > 0) await sleep(attemptAfterMs, { summary: 'until the next webhook attempt' });
  await deliveries.deliverUntilDone({ deliveryId });
}
