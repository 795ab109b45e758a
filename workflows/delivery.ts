/**
 * One webhook event on its way to one URL. The ledger in Postgres counts the attempts; Temporal keeps the time between them.
 */
import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { DeliveryInput } from './contract';

/**
 * A receiver may take its five seconds, so its attempts are a regular activity, which operators see wait; the first one of a call's webhook is part of
 * processing where its receiver is quick. The activity itself names the delay before its next attempt (`nextRetryDelay`), from the
 * ledger; the interval here only serves when a worker died during an attempt. Without end here: the ledger ends it at the fifth attempt.
 */
const deliveries = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '5s', backoffCoefficient: 1 },
  summary: 'webhook attempts',
});

/** For the events of campaigns, and for what reconciliation finds; a call sees to its own. */
export async function deliveryWorkflow({ deliveryId }: DeliveryInput): Promise<void> {
  await deliveries.deliverUntilSettled({ deliveryId });
}

/** What is left to do once a call's own first attempt was refused, came to no answer in time, or was not made. */
export async function deliverLater(deliveryId: string, attemptAfterMs: number): Promise<void> {
  if (attemptAfterMs > 0) await sleep(attemptAfterMs, { summary: 'until the next webhook attempt' });
  await deliveries.deliverUntilSettled({ deliveryId });
}
