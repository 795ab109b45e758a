/** Drops months of archived calls that are past their retention. */
import type { Db } from '../kernel/connection';
import { withBriefLocks } from '../kernel/months';
import { rows, timestamp } from '../kernel/query';
import { forgetRecordings } from './erasing';
import { listForRemoval } from './files-to-remove';

/** Returns the first days of the existing months that ended before the instant, oldest first. */
export async function callMonthsBefore(db: Db, at: number): Promise<string[]> {
  const found = await rows<{ month: string }>(
    db,
    `select month::text from (
       select to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'all_calls'::regclass and c.relname ~ '_\\d{4}_\\d{2}$') months
     where month < date_trunc('month', :at::timestamptz at time zone 'UTC') order by 1`,
    { at: timestamp(at) },
  );
  return found.map(({ month }) => month);
}

/**
 * Deletes one page of a month's calls from other tables and lists their recordings for removal. Returns the last call of the page; null at the end.
 */
export function emptyMonth(
  db: Db,
  { month, after, limit }: { month: string; after: string; limit: number },
  now: number,
): Promise<string | null> {
  return db.transaction(async (trx) => {
    const found = await rows<{ callId: string }>(
      trx,
      `select call_id as "callId" from all_calls where month = :month::date and call_id > :after order by call_id limit :limit`,
      { month, after, limit },
    );
    const callIds = found.map(({ callId }) => callId);
    await listForRemoval(trx, await forgetRecordings(trx, callIds), now);
    for (const table of ['call_words', 'call_reports', 'call_analyses'])
      await rows(trx, `delete from ${table} where call_id = any(:callIds)`, { callIds });
    return callIds.at(-1) ?? null;
  });
}

/** Drops the calls and segments of an emptied month. Fails without changes if a reader holds them for more than half a second. */
export async function dropCallMonth(db: Db, month: string): Promise<void> {
  await withBriefLocks(db, (trx) => rows(trx, 'select drop_call_month(:month::date)', { month }));
}
