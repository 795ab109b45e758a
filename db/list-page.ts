/** Pages of long lists at the same speed wherever they lie near an end, with the total that they are pages of. */
import type { Db } from './connection';
import { onlyRow } from './query';

/** How many rows, after how many that are left out, in the list's own order. */
export interface Page {
  limit: number;
  offset: number;
}

export interface Listed<Row> {
  items: Row[];
  /** Of the whole list, as it was when the page was looked for. */
  total: number;
}

/** How a page is reached: the rows to take, after how many that are passed over, from which end of the list. */
export interface Walk extends Page {
  from: 'start' | 'end';
}

/**
 * From the nearer end, as rows that are passed over cost time too. What is added at the start after the total was read does not move a
 * page that is counted from the end. Null where the page lies past the end.
 */
export function walkTo({ limit, offset }: Page, total: number): Walk | null {
  if (offset >= total) return null;
  const behind = Math.max(0, total - offset - limit);
  if (offset <= behind) return { from: 'start', limit, offset };
  return { from: 'end', limit: Math.min(limit, total - offset), offset: behind };
}

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;

/** The columns by which the list is sorted, all in this direction, as SQL for the walk. */
export function sortedFor({ from }: Walk, direction: 'asc' | 'desc', ...columns: string[]): string {
  const walked = from === 'start' ? direction : OPPOSITE[direction];
  return `order by ${columns.map((column) => `${column} ${walked}`).join(', ')} limit :limit offset :offset`;
}

/** `total` comes first; `read` answers the rows in the list's own order, whichever end it walks from. */
export async function listed<Row>(
  page: Page,
  total: Promise<number>,
  read: (walk: Walk) => Promise<Row[]>,
): Promise<Listed<Row>> {
  const known = await total;
  const walk = walkTo(page, known);
  return { items: walk === null ? [] : await read(walk), total: known };
}

/** The lists whose totals are kept by the triggers of `functions/count_<table>.sql`. */
export type KeptList = 'agents' | 'calls' | 'campaigns' | 'webhook_deliveries';

/** Exact at any instant, in a time that does not grow with the list. Of one part of the list where it is named. */
export async function keptTotal(db: Db, clientId: string, list: KeptList, part?: string): Promise<number> {
  const { total } = await onlyRow<{ total: number }>(
    db,
    `select coalesce(sum(total), 0) as total from list_totals
     where client_id = :clientId and list = :list${part === undefined ? '' : ' and part = :part'}`,
    part === undefined ? { clientId, list } : { clientId, list, part },
  );
  return total;
}
