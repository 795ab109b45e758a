/**
 * Where calls are read that may be settled. Those are kept by months, beside `calls`; `all_calls` and `all_call_segments` are both, `month` is
 * null of what is in `calls`. A condition on it keeps a look-up from every month but its own.
 */
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

/** Rows of `table` that may be of these calls; `ids` is SQL for an array of text. */
export const inMonthsOf = (table: string, ids: string): string =>
  `(${table}.month is null or ${table}.month = any(months_of(${ids})))`;

/** An id is made before its call is accepted, by another clock and at most a day: while its idempotency key holds. */
const ID_BEFORE_DAYS = 2;

/** Of calls that were accepted at or after the instant: the first month in which they may be. */
export const firstMonthFrom = (at: number): string => {
  const before = new Date(at - ID_BEFORE_DAYS * 24 * 60 * 60 * 1000);
  return new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1)).toISOString().slice(0, 10);
};

/** Rows of `table` that may be of the campaign, whose calls were made after it. */
export const sinceCampaign = (table: string, campaignId: string): string =>
  `(${table}.month is null or ${table}.month >= (select date_trunc('month', created_at - interval '${ID_BEFORE_DAYS} days')::date from campaigns where id = ${campaignId}))`;

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
