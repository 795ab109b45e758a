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

/** A page whose rows are read some at a time, while those before are sent: however wide they are, few are held at once. */
export interface StreamedPage<Row> {
  total: number;
  /** In the list's own order. */
  batches: AsyncIterable<Row[]>;
}

export interface PageReads<Key, Row> {
  /** What names the rows of the page, in the order of the walk. */
  keys: (walk: Walk) => Promise<Key[]>;
  /** The rows of these keys, in the list's own order. */
  rows: (keys: Key[]) => Promise<Row[]>;
}

/** A call may have 16 KiB of variables and an hour of talk. */
const ROWS_PER_BATCH = 20;

/**
 * `total` comes first, then the keys of the page, then its rows. No connection is held between two reads, so that nobody who takes an
 * answer slowly keeps one. What is removed in between is missing. The first rows are read before this resolves: a database that is away
 * fails it.
 */
export async function streamedPage<Key, Row>(
  page: Page,
  total: Promise<number>,
  { keys, rows }: PageReads<Key, Row>,
): Promise<StreamedPage<Row>> {
  const known = await total;
  const walk = walkTo(page, known);
  const walked = walk === null ? [] : await keys(walk);
  return { total: known, batches: await batchesOf(walk?.from === 'end' ? walked.reverse() : walked, rows) };
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
