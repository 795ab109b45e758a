/** Pages of long lists, each in a bounded time, with the total that they are pages of. */
import { MOST_COUNTED } from '../../domain/most-counted';
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

/** A page lies further in a list than any list is read. */
export class PageTooFar extends Error {}

/**
 * Null for a page past the end of the list. Throws PageTooFar for one that begins after `MOST_COUNTED` rows of a longer list, because rows that
 * are passed over cost time too.
 */
export function within({ limit, offset }: Page, total: number): Page | null {
  if (offset >= MOST_COUNTED && total >= MOST_COUNTED)
    throw new PageTooFar('the page begins too far in its list');
  return offset >= total ? null : { limit: Math.min(limit, total - offset), offset };
}

/** The columns by which the list is sorted, all in this direction, as SQL for the page. */
export const sortedBy = (direction: 'asc' | 'desc', ...columns: string[]): string =>
  `order by ${columns.map((column) => `${column} ${direction}`).join(', ')} limit :limit offset :offset`;

/** `total` comes first; `read` answers the rows of the page in the list's own order. */
export async function listed<Row>(
  page: Page,
  total: Promise<number>,
  read: (page: Page) => Promise<Row[]>,
): Promise<Listed<Row>> {
  const known = await total;
  const reached = within(page, known);
  return { items: reached === null ? [] : await read(reached), total: known };
}

/** A page whose rows are read some at a time, while those before are sent: however wide they are, few are held at once. */
export interface StreamedPage<Row> {
  total: number;
  /** In the list's own order. */
  batches: AsyncIterable<Row[]>;
}

export interface PageReads<Key, Row> {
  /** The names of the page's rows, in the list's own order. */
  keys: (page: Page) => Promise<Key[]>;
  /** The rows of these keys, in the list's own order. */
  rows: (keys: Key[]) => Promise<Row[]>;
}

/** A call may have 16 KiB of variables and an hour of talk. */
const ROWS_PER_BATCH = 20;

/**
 * `total` comes first, then the keys of the page, then its rows. No connection is held between two reads, so that a slow reader keeps none.
 * Rows that are removed in between are missing. The first rows are read before this resolves, so that it fails when the database is away.
 */
export async function streamedPage<Key, Row>(
  page: Page,
  total: Promise<number>,
  { keys, rows }: PageReads<Key, Row>,
): Promise<StreamedPage<Row>> {
  const known = await total;
  const reached = within(page, known);
  return { total: known, batches: await batchesOf(reached === null ? [] : await keys(reached), rows) };
}

/** All rows of these keys, as those of a page. */
export async function batchesOf<Key, Row>(
  keys: readonly Key[],
  read: PageReads<Key, Row>['rows'],
): Promise<AsyncIterable<Row[]>> {
  const batch = (at: number) => read(keys.slice(at, at + ROWS_PER_BATCH));
  const first = keys.length === 0 ? [] : await batch(0);
  return (async function* () {
    if (first.length > 0) yield first;
    for (let at = ROWS_PER_BATCH; at < keys.length; at += ROWS_PER_BATCH) yield await batch(at);
  })();
}

/** For those who need the whole page at once. */
export async function collected<Row>({ total, batches }: StreamedPage<Row>): Promise<Listed<Row>> {
  const items: Row[] = [];
  for await (const batch of batches) items.push(...batch);
  return { items, total };
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
