/**
 * Archived calls are in monthly partitions of `all_calls` and `all_call_segments`; rows in `calls` have a null `month`. A condition on `month` keeps
 * a look-up from reading every partition.
 */
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

/** Returns the SQL condition that limits `table` to the months of these calls. `ids` is an SQL text array. */
export const inMonthsOf = (table: string, ids: string): string =>
  `(${table}.month is null or ${table}.month = any(months_of(${ids})))`;

/** An id can be up to a day older than its call, because an idempotency key reuses it for that long. The second day is for differing clocks. */
const ID_BEFORE_DAYS = 2;

/** Returns the first month that can contain calls accepted at or after the instant. */
export const firstMonthFrom = (at: number): string => {
  const before = new Date(at - ID_BEFORE_DAYS * 24 * 60 * 60 * 1000);
  return new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1)).toISOString().slice(0, 10);
};

/** Returns the SQL condition that limits `table` to the months since the campaign was created. */
export const sinceCampaign = (table: string, campaignId: string): string =>
  `(${table}.month is null or ${table}.month >= (select date_trunc('month', created_at - interval '${ID_BEFORE_DAYS} days')::date from campaigns where id = ${campaignId}))`;

interface Place {
  endedAt: string;
  callId: string;
}

/**
 * Archives one page of an organization's calls that ended before `before`. Returns how many it moved, and where to continue; null at the end.
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

/** Keeps calls from being archived until the transaction ends. Erasures use this. */
export async function holdMonths(trx: Db): Promise<void> {
  await rows(trx, 'select hold_months(false)');
}
