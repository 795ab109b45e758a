/** A page of one client's list: the newest first, narrowed by filters. */
import { countOf, narrows, ofClient, type Filters } from './conditions';
import type { Db } from './connection';
import { keptTotal, sortedBy, streamedPage, type KeptList, type Page, type StreamedPage } from './list-page';
import { rows } from './query';

export interface ClientList {
  table: string;
  /** The name of its kept total. */
  kept: KeptList;
  /** The column that names a row. */
  key: string;
  /** The column of the row's instant; rows of one instant are in the order of their keys. */
  at: string;
  clientId: string;
  filters: Filters;
}

/**
 * A filtered total is counted in an index, up to `MOST_COUNTED`; an unfiltered one is kept. The keys are found in an index alone, so that
 * `rowsOf` reads the wide rows of the page only, in the list's own order.
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
