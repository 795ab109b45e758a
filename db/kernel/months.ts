import type { Db } from './connection';
import { onlyRow, timestamp } from './query';

/** The tables in partitions by month whose months are kept apart from others'. */
export const MONTHLY_TABLES = ['audit_log', 'webhook_deliveries'] as const;
export type MonthlyTable = (typeof MONTHLY_TABLES)[number];

/** For readers and writers of a table that is locked: meanwhile others queue behind us. */
const LOCK_WAIT_MS = 500;

/** In a transaction that fails, and changes nothing, where it waits for one lock for longer than half a second. */
export const withBriefLocks = <Result>(db: Db, work: (trx: Db) => Promise<Result>): Promise<Result> =>
  db.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = '${LOCK_WAIT_MS}ms'`);
    return work(trx);
  });

/**
 * Makes the next months' partitions and drops the months that ended before `keepFrom`; null keeps all. Returns how many were dropped. Fails, and
 * changes nothing, where somebody uses the table for longer than half a second.
 */
export function keepMonths(
  db: Db,
  table: MonthlyTable,
  { now, keepFrom }: { now: number; keepFrom: number | null },
): Promise<number> {
  return withBriefLocks(db, async (trx) => {
    const { dropped } = await onlyRow<{ dropped: number }>(
      trx,
      'select keep_months(:table, :now, :keepFrom) as dropped',
      { table, now: timestamp(now), keepFrom: keepFrom === null ? null : timestamp(keepFrom) },
    );
    return dropped;
  });
}
