/**
 * Repairs what a crash between a transaction and the message about it left behind. A schedule starts it every ten seconds; its cost
 * does not grow with the number of calls, as each pass asks Postgres for what is overdue only. Processes start it beside that after an outage; the
 * activity sees to it that it never runs twice at once.
 */
import { reconciliation } from './activity-proxies';
import type { ReconcileInput } from './contract';

export async function reconcileWorkflow(input: ReconcileInput): Promise<void> {
  await reconciliation.reconcile(input);
}
