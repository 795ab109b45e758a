/** Moves old calls to monthly partitions of `all_calls` and `all_call_segments`, and drops whole months. */
import type { Db } from '../kernel/connection';
import { withBriefLocks } from '../kernel/partitions';
import { onlyRow, rows, timestamp } from '../kernel/query';
import { forgetRecordings } from '../organizations/erasing';
import { listForRemoval } from '../organizations/files-to-remove';

interface Place {
  endedAt: string;
  callId: string;
}

/**
 * Archives one page of an organization's calls that ended before `before`. Returns how many calls it moved and where to continue (null at
 * the end).
 */
export async function archiveCalls(
  db: Db,
  {
    organizationId,
    after,
    before,
    limit,
  }: { organizationId: string; after: Place | null; before: number; limit: number },
): Promise<{ moved: number; until: Place | null }> {
  const { page } = await onlyRow<{ page: { moved: number; until: Place | null } }>(
    db,
    'select archive_calls(:organizationId, :after, :before, :limit) as page',
    { organizationId, after: JSON.stringify(after), before: timestamp(before), limit },
  );
  return page;
}

/**
 * Drops the partitions of archived calls that ended before the instant, and returns how many. First deletes the calls' rows in other tables
 * page by page, calling `onPage` before each page. After a failure, the next run continues with the remaining pages.
 * @throws if a reader locks a partition for more than half a second
 */
export async function dropArchivedCalls(
  db: Db,
  {
    before,
    limit,
    clock,
    onPage,
  }: { before: number; limit: number; clock: () => number; onPage: () => void },
): Promise<number> {
  const months = await rows<{ month: string }>(
    db,
    `select month::text from (
       select to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'all_calls'::regclass and c.relname ~ '_\\d{4}_\\d{2}$') months
     where month < date_trunc('month', :before::timestamptz at time zone 'UTC') order by 1`,
    { before: timestamp(before) },
  );
  for (const { month } of months) {
    let after: string | null = '';
    while (after !== null) {
      onPage();
      after = await emptyPage(db, { month, after, limit }, clock());
    }
    await dropCallMonth(db, month);
  }
  return months.length;
}

async function dropCallMonth(db: Db, month: string): Promise<void> {
  await withBriefLocks(db, (trx) => rows(trx, 'select drop_call_month(:month::date)', { month }));
}

/**
 * Deletes one page of the month's calls from other tables and queues their recordings for removal. Returns the last call of the page. Null
 * at the end.
 */
function emptyPage(
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
