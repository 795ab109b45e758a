import type { Db } from '../kernel/connection';
import { onlyRow } from '../kernel/query';

export interface LineUsage {
  /** Calls that hold a line. */
  liveCalls: number;
  /** Dispatched calls without a line, and calls that campaigns keep ready for the next free lines. */
  waitingCalls: number;
}

/** Counts an organization's calls in one statement, so that no call is counted twice. */
export function lineUsage(db: Db, organizationId: string): Promise<LineUsage> {
  return onlyRow<LineUsage>(
    db,
    `select (select count(*) from lines where organization_id = :organizationId) as "liveCalls",
       (select count(*) from calls where organization_id = :organizationId and stage = 'waiting')
       + (select count(*) from calls where organization_id = :organizationId and stage = 'claimed') as "waitingCalls"`,
    { organizationId },
  );
}
