import type { Db } from './connection';
import { onlyRow, timestamp } from './query';

/** Tables with one partition per month, which keep_partitions creates and drops. */
export const PARTITIONED_TABLES = ['audit_log', 'webhook_deliveries'] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

/** Limits how long readers and writers of the table queue behind our lock request. */
const LOCK_WAIT_MS = 500;

/** Runs work in a transaction that fails without changes if it has to wait for a lock for more than half a second. */
export const withBriefLocks = <Result>(db: Db, work: (trx: Db) => Promise<Result>): Promise<Result> =>
  db.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = '${LOCK_WAIT_MS}ms'`);
    return work(trx);
  });

/**
 * Creates the partitions of the next months, drops those that ended before `keepFrom` (null keeps all), and returns how many it dropped. Fails
 * without changes if another transaction holds the table for more than half a second.
 */
export function keepPartitions(
  db: Db,
  table: PartitionedTable,
  { now, keepFrom }: { now: number; keepFrom: number | null },
): Promise<number> {
  return withBriefLocks(db, async (trx) => {
    const { dropped } = await onlyRow<{ dropped: number }>(
      trx,
      'select keep_partitions(:table, :now, :keepFrom) as dropped',
      { table, now: timestamp(now), keepFrom: keepFrom === null ? null : timestamp(keepFrom) },
    );
    return dropped;
  });
}
