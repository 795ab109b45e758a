/** Reads pages of an organization's list: filtered, newest first. */
import { countOf, narrows, ofOrganization, type Filters } from './conditions';
import type { Db } from './connection';
import { keptTotal, sortedBy, streamedPage, type KeptList, type Page, type StreamedPage } from './list-page';
import { rows } from './query';

export interface OrganizationList {
  table: string;
  /** Name of its kept total. */
  kept: KeptList;
  /** Key column. */
  key: string;
  /** Column of the instant that the list is sorted by; equal instants are sorted by key. */
  at: string;
  organizationId: string;
  filters: Filters;
}

/**
 * Reads a page by finding its keys in an index alone; `rowsOf` must return their rows in the order of the list. A filtered total is counted up to
 * `MOST_COUNTED`, an unfiltered one is kept.
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
