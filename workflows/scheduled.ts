/** The workflows that schedules start. */
import { reconciliation, retention } from './activity-proxies';
import type { ReconcileInput } from './contract';
import type { Forgotten } from '../activities/retention';

/**
 * Repairs what a crash between a transaction and its signal left behind. It starts every ten seconds, processes also start it after an outage,
 * and the activity makes sure that only one runs at a time.
 */
export async function reconcileWorkflow(input: ReconcileInput): Promise<void> {
  await reconciliation.reconcile(input);
}

/** Deletes data that is older than its organization's retention period, once a day, and returns how much it deleted. */
export async function retentionWorkflow(): Promise<Forgotten> {
  return retention.enforceRetention();
}
