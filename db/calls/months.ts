/**
 * Where calls are read that may be settled. Those are kept by months, beside `calls`; `all_calls` and `all_call_segments` are both, `month` is
 * null of what is in `calls`. A condition on it keeps a look-up from every month but its own.
 */
import { forgetRecordings } from '../clients/erasing';
import { listForRemoval } from '../clients/files-to-remove';
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

/** Rows of `table` that may be of these calls; `ids` is SQL for an array of text. */
export const inMonthsOf = (table: string, ids: string): string =>
  `(${table}.month is null or ${table}.month = any(months_of(${ids})))`;

/** An id is made before its call is accepted, by another clock and at most a day: while its idempotency key holds. */
const ID_BEFORE_MS = 2 * 24 * 60 * 60 * 1000;

/** Of calls that were accepted at or after the instant: the first month in which they may be. */
export const firstMonthFrom = (at: number): string => {
  const before = new Date(at - ID_BEFORE_MS);
  return new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1)).toISOString().slice(0, 10);
};

/** Rows of `table` that may be of the campaign, whose calls were made after it. */
export const sinceCampaign = (table: string, campaignId: string): string =>
  `(${table}.month is null or ${table}.month >= (select date_trunc('month', created_at - interval '2 days')::date from campaigns where id = ${campaignId}))`;

interface Place {
  endedAt: string;
  callId: string;
}

/**
 * Moves the settled among the next calls of a client that ended before, a page at a time. Returns how many, and after which to go on; null at
 * the end.
 */
export async function settleCalls(
  db: Db,
  {
    clientId,
    after,
    before,
    limit,
  }: { clientId: string; after: Place | null; before: number; limit: number },
): Promise<{ moved: number; until: Place | null }> {
  const { page } = await onlyRow<{ page: { moved: number; until: Place | null } }>(
    db,
    'select settle_calls(:clientId, :after, :before, :limit) as page',
    { clientId, after: JSON.stringify(after), before: timestamp(before), limit },
  );
  return page;
}

/** For whoever erases: until the transaction ends no call moves to its month. */
export async function holdMonths(trx: Db): Promise<void> {
  await rows(trx, 'select hold_months(false)');
}

/** The first days of the months that there are and that ended before, the oldest first. */
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
 * Deletes what other tables keep of a month's calls, a page at a time, and lists its recordings for removal. Returns the last call; null at the
 * end.
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

/** For readers of settled calls. */
const LOCK_WAIT_MS = 500;

/** An emptied month, with its calls and their segments. Fails, and changes nothing, where somebody reads them for longer than half a second. */
export async function dropCallMonth(db: Db, month: string): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = '${LOCK_WAIT_MS}ms'`);
    await rows(trx, 'select drop_call_month(:month::date)', { month });
  });
}
