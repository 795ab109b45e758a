/** Reads pages of an organization's list: filtered, newest first. */
import { countOf, narrows, ofClient, type Filters } from './conditions';
import type { Db } from './connection';
import { keptTotal, sortedBy, streamedPage, type KeptList, type Page, type StreamedPage } from './list-page';
import { rows } from './query';

export interface ClientList {
  table: string;
  /** Name of its kept total. */
  kept: KeptList;
  /** Key column. */
  key: string;
  /** Column of the instant that the list is sorted by; equal instants are sorted by key. */
  at: string;
  clientId: string;
  filters: Filters;
}

/**
 * Counts a filtered total in an index, up to `MOST_COUNTED`; an unfiltered total is kept. Finds the keys in an index alone, so that only the
 * rows of the page are read. `rowsOf` must return them in the order of the list.
 */
export function clientPage<Row>(
  db: Db,
  { table, kept, key, at, clientId, filters }: ClientList,
  page: Page,
  rowsOf: (keys: string[]) => Promise<Row[]>,
): Promise<StreamedPage<Row>> {
  const { where, bindings } = ofClient(clientId, filters);
  const total = narrows(filters)
    ? countOf(db, table, { where, bindings }, `${at} desc, ${key} desc`)
    : keptTotal(db, clientId, kept);
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
