/**
 * Repairs what a crash between a transaction and its signal left behind. A schedule starts it every ten seconds, processes also start it
 * after an outage, and the activity makes sure that only one runs at a time.
 */
import { reconciliation } from './activity-proxies';
import type { ReconcileInput } from './contract';

export async function reconcileWorkflow(input: ReconcileInput): Promise<void> {
  await reconciliation.reconcile(input);
}
