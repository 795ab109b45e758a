/** Reads pages of long lists, with their totals, in bounded time. */
import { MAX_COUNTED } from '../../domain/count-limits';
import type { Db } from './connection';
import { onlyRow, rows } from './query';
import { countOf, narrows, ofOrganization, type Filters } from './conditions';

export interface Page {
  limit: number;
  offset: number;
}

export interface Listed<Row> {
  items: Row[];
  /** Length of the whole list when the page was read. */
  total: number;
}

/** The page starts too far into the list to be read. */
export class PageTooFar extends Error {}

/**
 * Returns null for a page past the end of the list. Throws PageTooFar for a page that starts after `MAX_COUNTED` rows of a longer list,
 * because skipping rows takes time too.
 */
export function within({ limit, offset }: Page, total: number): Page | null {
  if (offset >= MAX_COUNTED && total >= MAX_COUNTED)
    throw new PageTooFar('the page starts too far into its list');
  return offset >= total ? null : { limit: Math.min(limit, total - offset), offset };
}

/** Returns the SQL that sorts by these columns and selects the page. */
export const sortedBy = (direction: 'asc' | 'desc', ...columns: string[]): string =>
  `order by ${columns.map((column) => `${column} ${direction}`).join(', ')} limit :limit offset :offset`;

/** Reads the page once `total` is known. `read` must return the rows in the order of the list. */
export async function listed<Row>(
  page: Page,
  total: Promise<number>,
  read: (page: Page) => Promise<Row[]>,
): Promise<Listed<Row>> {
  const known = await total;
  const reached = within(page, known);
  return { items: reached === null ? [] : await read(reached), total: known };
}

/** A page whose rows are read in batches while earlier ones are sent, so that only a few wide rows are in memory at once. */
export interface StreamedPage<Row> {
  total: number;
  /** Rows in the order of the list. */
  batches: AsyncIterable<Row[]>;
}

interface PageReads<Key, Row> {
  /** Returns the keys of the page's rows, in the order of the list. */
  keys: (page: Page) => Promise<Key[]>;
  /** Returns the rows with these keys, in the order of the list. */
  rows: (keys: Key[]) => Promise<Row[]>;
}

/** Small, because a call can have 16 KiB of variables and an hour of transcript. */
const ROWS_PER_BATCH = 20;

/**
 * Awaits `total`, then reads keys and rows. Holds no connection between reads, so rows that are deleted between them are missing. Reads the
 * first batch before it resolves, so that it rejects if the database is unavailable.
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

/** Returns all rows with these keys in batches, as streamedPage does. */
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

/** Reads the whole page into memory. */
export async function collected<Row>({ total, batches }: StreamedPage<Row>): Promise<Listed<Row>> {
  const items: Row[] = [];
  for await (const batch of batches) items.push(...batch);
  return { items, total };
}

/** Lists whose totals are maintained by the triggers of `functions/count_<table>.sql`. */
export type KeptList = 'agents' | 'calls' | 'campaigns' | 'webhook_deliveries';

/** Returns the exact total of the list or of one part of it. The cost doesn't grow with the list. */
export async function keptTotal(
  db: Db,
  organizationId: string,
  list: KeptList,
  part?: string,
): Promise<number> {
  const { total } = await onlyRow<{ total: number }>(
    db,
    `select coalesce(sum(total), 0) as total from list_totals
     where organization_id = :organizationId and list = :list${part === undefined ? '' : ' and part = :part'}`,
    part === undefined ? { organizationId, list } : { organizationId, list, part },
  );
  return total;
}

interface OrganizationList {
  table: string;
  /** List whose stored total is used. */
  kept: KeptList;
  /** Key column. */
  key: string;
  /** Column of the instant that the list is sorted by. Rows with equal instants are sorted by key. */
  at: string;
  organizationId: string;
  filters: Filters;
}

/**
 * Reads a page whose keys an index alone can find. `rowsOf` must return their rows in the order of the list. A filtered total is counted up
 * to `MAX_COUNTED`. The unfiltered total is stored.
 */
export function organizationPage<Row>(
  db: Db,
  { table, kept, key, at, organizationId, filters }: OrganizationList,
  page: Page,
  rowsOf: (keys: string[]) => Promise<Row[]>,
): Promise<StreamedPage<Row>> {
  const { where, bindings } = ofOrganization(organizationId, filters);
  const total = narrows(filters)
    ? countOf(db, table, { where, bindings }, `${at} desc, ${key} desc`)
    : keptTotal(db, organizationId, kept);
  return streamedPage(page, total, {
    keys: async ({ limit, offset }) => {
      const found = await rows<{ key: string }>(
        db,
        `select ${key} as key from ${table} where ${where} ${sortedBy('desc', at, key)}`,
        { ...bindings, limit, offset },
      );
      return found.map((row) => row.key);
    },
    rows: rowsOf,
  });
}
