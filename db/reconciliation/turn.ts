/** Reconciliation runs in one process at a time, and a catch-up that was asked for is made by the process that holds the turn. */
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

/** Of the advisory lock, which is the database's own. */
const LOCK = 5_307_731;

/** As long as its work may take; after it another process may begin, whatever became of this one. */
const TURN_MS = 120_000;

/**
 * Does the work while no other process does; returns false where one does. The turn is a transaction of its own, so it ends with the process or
 * its connection. `keepsTurn` rejects once it has ended: the work asks before each part.
 */
export function withTurn(
  db: Db,
  work: (keepsTurn: () => Promise<void>) => Promise<void>,
  turnMs = TURN_MS,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const { isFree } = await onlyRow<{ isFree: boolean }>(
      trx,
      'select pg_try_advisory_xact_lock(:lock) as "isFree"',
      { lock: LOCK },
    );
    if (!isFree) return false;
    await within(
      turnMs,
      work(async () => void (await rows(trx, 'select 1'))),
    );
    return true;
  });
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('reconciliation took too long: its turn has ended')), ms);
  });
  await Promise.race([work, expired]).finally(() => clearTimeout(timer));
}

export async function askCatchUp(db: Db, now: number): Promise<void> {
  await rows(db, 'insert into catch_ups (asked_at) values (:now)', { now: timestamp(now) });
}

/** Those that nobody has made yet. */
export async function askedCatchUps(db: Db): Promise<number[]> {
  return (await rows<{ id: number }>(db, 'select id from catch_ups')).map(({ id }) => id);
}

/** Only those that were read before the catch-up was made: one that was asked for since wants another. */
export async function removeCatchUps(db: Db, catchUpIds: readonly number[]): Promise<void> {
  await rows(db, 'delete from catch_ups where id = any(:ids)', { ids: [...catchUpIds] });
}
