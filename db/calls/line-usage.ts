import type { Db } from '../kernel/connection';
import { onlyRow } from '../kernel/query';

export interface LineUsage {
  /** Calls that hold a line. */
  liveCalls: number;
  /** Dispatched calls without a line, and calls that campaigns keep ready for the next free lines. */
  waitingCalls: number;
}

/** Counts an organization's calls in one statement, so that no call is counted twice. */
export function lineUsage(db: Db, clientId: string): Promise<LineUsage> {
  return onlyRow<LineUsage>(
    db,
    `select (select count(*) from lines where client_id = :clientId) as "liveCalls",
       (select count(*) from calls where client_id = :clientId and stage = 'waiting')
       + (select count(*) from calls where client_id = :clientId and stage = 'claimed') as "waitingCalls"`,
    { clientId },
  );
}
