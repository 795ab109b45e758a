/**
 * Repairs what a crash between a transaction and the message about it left behind. A schedule starts it every ten seconds; its cost
 * does not grow with the number of calls, as each pass asks Postgres for what is overdue only.
 */
import { reconciliation } from './activity-proxies';

export async function reconcileWorkflow(): Promise<void> {
  await reconciliation.reconcile();
}
