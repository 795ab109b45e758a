import type { Knex } from 'knex';
import { MAX_COUNTED } from '../../domain/count-limits';
import type { Db } from './connection';
import { onlyRow } from './query';

export interface Conditions {
  where: string;
  bindings: Record<string, Knex.RawBinding>;
}

/** Maps SQL conditions to values. A condition ends with a named binding and is left out if its value is undefined. */
export type Filters = Record<string, string | undefined>;

export const narrows = (filters: Filters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/** Selects the rows of one organization that match the filters. */
export function ofOrganization(organizationId: string, filters: Filters): Conditions {
  const conditions = ['organization_id = :organizationId'];
  const bindings: Record<string, Knex.RawBinding> = { organizationId };
  for (const [condition, value] of Object.entries(filters)) {
    const name = /:(\w+)[\])]*$/.exec(condition)?.[1];
    if (name === undefined) throw new Error(`a condition must end in its named binding: ${condition}`);
    if (value === undefined) continue;
    conditions.push(condition);
    bindings[name] = value;
  }
  return { where: conditions.join(' and '), bindings };
}

/**
 * Counts up to `MAX_COUNTED` rows. `sort` is the order of the list. It makes the planner count in the index that the pages are read from.
 */
export async function countOf(
  db: Db,
  table: string,
  { where, bindings }: Conditions,
  sort: string,
): Promise<number> {
  const { total } = await onlyRow<{ total: number }>(
    db,
    `select count(*) as total from (select 1 from ${table} where ${where} order by ${sort} limit ${MAX_COUNTED}) counted`,
    bindings,
  );
  return total;
}
