/** Lets one process at a time run the reconciliation. That process also makes the extra runs that other processes request. */
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

/** Key of the advisory lock. Each database has separate advisory locks. */
const LOCK = 5_307_731;

/**
 * Runs the work under a lock. Returns false if another process holds it. The lock is lost with the connection, so the work must call
 * `keepsLock` before each part. `keepsLock` rejects once the lock is lost.
 */
export function withLock(db: Db, work: (keepsLock: () => Promise<void>) => Promise<void>): Promise<boolean> {
  return db.transaction(async (trx) => {
    const { isFree } = await onlyRow<{ isFree: boolean }>(
      trx,
      'select pg_try_advisory_xact_lock(:lock) as "isFree"',
      { lock: LOCK },
    );
    if (!isFree) return false;
    await work(async () => void (await rows(trx, 'select 1')));
    return true;
  });
}

export async function askCatchUp(db: Db, now: number): Promise<void> {
  await rows(db, 'insert into catch_ups (requested_at) values (:now)', { now: timestamp(now) });
}

/** Returns the ids of requested extra runs that haven't happened yet. */
export async function requestedCatchUps(db: Db): Promise<number[]> {
  return (await rows<{ id: number }>(db, 'select id from catch_ups')).map(({ id }) => id);
}

/** Removes only the requests that were read before the run. Later requests need another run. */
export async function removeCatchUps(db: Db, catchUpIds: readonly number[]): Promise<void> {
  await rows(db, 'delete from catch_ups where id = any(:ids)', { ids: [...catchUpIds] });
}
