/**
 * Archived calls are in monthly partitions of `all_calls` and `all_call_segments`. Rows in `calls` have a null `month`. A condition on
 * `month` keeps a look-up from reading every partition.
 */
import type { Db } from '../kernel/connection';
import { rows } from '../kernel/query';

/** Returns the SQL condition that limits `table` to the months of these calls. `ids` is an SQL text array. */
export const inMonthsOf = (table: string, ids: string): string =>
  `(${table}.month is null or ${table}.month = any(months_of(${ids})))`;

/**
 * An id can be up to a day older than its call, because an idempotency key reuses it for that long. The second day covers clock
 * differences.
 */
const ID_BEFORE_DAYS = 2;

/** Returns the first month that can contain calls accepted at or after the instant. */
export const firstMonthFrom = (at: number): string => {
  const before = new Date(at - ID_BEFORE_DAYS * 24 * 60 * 60 * 1000);
  return new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1)).toISOString().slice(0, 10);
};

/** Returns the SQL condition that limits `table` to the months since the campaign was created. */
export const sinceCampaign = (table: string, campaignId: string): string =>
  `(${table}.month is null or ${table}.month >= (select date_trunc('month', created_at - interval '${ID_BEFORE_DAYS} days')::date from campaigns where id = ${campaignId}))`;

/** Keeps calls from being archived until the transaction ends. Erasures use this. */
export async function holdMonths(trx: Db): Promise<void> {
  await rows(trx, 'select hold_months(false)');
}
