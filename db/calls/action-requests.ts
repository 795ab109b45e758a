import type { Db } from '../kernel/connection';
import { firstRow } from '../kernel/query';

/** Maximum number of action requests with secret headers per call. */
export const MAX_ACTION_REQUESTS = 200;

/** Counts a request for an action with secret headers. Returns `over` if the call isn't live. */
export async function countActionRequest(db: Db, callId: string): Promise<'counted' | 'too many' | 'over'> {
  const found = await firstRow<{ isCounted: boolean; isLive: boolean }>(
    db,
    `with counted as (
       update calls set action_requests = action_requests + 1
       where call_id = :callId and stage in ('granted', 'requested', 'placed') and action_requests < :max
       returning 1)
     select exists (select from counted) as "isCounted", stage in ('granted', 'requested', 'placed') as "isLive"
     from calls where call_id = :callId`,
    { callId, max: MAX_ACTION_REQUESTS },
  );
  if (found === undefined) return 'over';
  if (found.isCounted) return 'counted';
  return found.isLive ? 'too many' : 'over';
}
