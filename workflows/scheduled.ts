/** The workflows that schedules start. */
import { reconciliation, retention } from './activity-proxies';
import type { ReconcileInput } from './contract';
import type { Forgotten } from '../activities/retention';

/**
 * Repairs the damage of a crash between a transaction and its signal. The schedule starts it every minute for several runs, and processes
 * start it for one run after an outage. The activity ensures that only one run is active at a time.
 */
export async function reconcileWorkflow(input: ReconcileInput): Promise<void> {
  await reconciliation(input).reconcile(input);
}

/** Deletes data past its organization's retention period once a day, and returns how much it deleted. */
export async function retentionWorkflow(): Promise<Forgotten> {
  return retention.enforceRetention();
}
