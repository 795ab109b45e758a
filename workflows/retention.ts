/**
 * Deletes recordings, transcripts and contacts that are older than their organization's retention period. A schedule starts it once a day,
 * and it returns how much it deleted.
 */
import { retention } from './activity-proxies';
import type { Forgotten } from '../activities/retention/enforcing';

export async function retentionWorkflow(): Promise<Forgotten> {
  return retention.enforceRetention();
}
