/**
 * Deletes recordings, transcripts and contacts that organisations keep for some days only. A schedule starts it once a day; its result is
 * what it deleted, as counts.
 */
import { retention } from './activity-proxies';
import type { Forgotten } from '../activities/retention/enforcing';

export async function retentionWorkflow(): Promise<Forgotten> {
  return retention.enforceRetention();
}
