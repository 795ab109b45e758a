import type { Db } from '../kernel/connection';
import { onlyRow } from '../kernel/query';

export interface LineUsage {
  /** Calls that hold a line: at most the organisation's maximum. */
  liveCalls: number;
  /** Dispatched calls without a line yet, and those that campaigns keep ready for the next free ones. */
  waitingCalls: number;
}

/** Of one client, at one instant: no call is counted as both. */
export function lineUsage(db: Db, clientId: string): Promise<LineUsage> {
  return onlyRow<LineUsage>(
    db,
    `select (select count(*) from lines where client_id = :clientId) as "liveCalls",
       (select count(*) from calls where client_id = :clientId and stage = 'waiting')
       + (select count(*) from calls where client_id = :clientId and stage = 'claimed') as "waitingCalls"`,
    { clientId },
  );
}
