import { randomUUID } from 'node:crypto';
import type { Quotas } from '../../domain/quotas';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows } from '../kernel/query';

/** Maximum number of lines of an organization. */
export const MOST_LINES = 999_999;

/** An organization, which owns keys, agents, campaigns and calls. */
export interface Organization {
  id: string;
  name: string;
  /** Number of lines: live calls over all campaigns, dispatches and callers. */
  maxConcurrency: number;
  /** Number of these lines that inbound calls may use. */
  callerLines: number;
  /** Own spend limit in credits per UTC day. Null uses the configured limit, 0 means no limit. */
  spendPerDay: number | null;
  /** Requests per minute. Null uses the configured limit, 0 means no limit. */
  rateLimits: { dispatchPerMinute: number | null; otherPerMinute: number | null };
  /** Own quotas; 0 means no limit. The configured quotas apply to the others. */
  quotas: Partial<Quotas>;
}

/** SQL columns of a Organization, from `organizations c`. */
export const ORGANIZATION_COLUMNS = `c.id, c.name, c.max_concurrency as "maxConcurrency",
  caller_lines_of(c) as "callerLines", c.spend_per_day as "spendPerDay",
  json_build_object('dispatchPerMinute', c.dispatch_per_minute, 'otherPerMinute', c.other_per_minute) as "rateLimits",
  c.quotas`;

const SELECT_ORGANIZATION = `select ${ORGANIZATION_COLUMNS} from organizations c`;

export async function insertOrganization(
  db: Db,
  { name, maxConcurrency }: { name: string; maxConcurrency?: number },
): Promise<Organization> {
  const id = randomUUID();
  const limits = maxConcurrency === undefined ? {} : { max_concurrency: maxConcurrency };
  await db('organizations').insert({ id, name, ...limits });
  return onlyRow<Organization>(db, `${SELECT_ORGANIZATION} where c.id = :id`, { id });
}

export function findOrganization(db: Db, organizationId: string): Promise<Organization | undefined> {
  return firstRow<Organization>(db, `${SELECT_ORGANIZATION} where c.id = :organizationId`, {
    organizationId,
  });
}

export function newestOrganization(db: Db): Promise<Organization | undefined> {
  return firstRow<Organization>(db, `${SELECT_ORGANIZATION} order by c.created_at desc, c.id limit 1`);
}

/** Names aren't unique, so the caller must check how many organizations it gets. */
export function organizationsNamed(db: Db, name: string): Promise<Organization[]> {
  return rows<Organization>(db, `${SELECT_ORGANIZATION} where c.name = :name order by c.created_at, c.id`, {
    name,
  });
}

/** Locks the organization against changes of its keys and secrets and against grants of its lines. */
export async function lockOrganization(trx: Db, organizationId: string): Promise<void> {
  await rows(trx, 'select 1 from organizations where id = :organizationId for no key update', {
    organizationId,
  });
}

/** Undefined fields stay. Null uses the configured limit. */
export interface OrganizationChange {
  name?: string | undefined;
  maxConcurrency?: number | undefined;
  callerLines?: number | null | undefined;
  dispatchPerMinute?: number | null | undefined;
  otherPerMinute?: number | null | undefined;
}

const COLUMNS: readonly (readonly [field: keyof OrganizationChange, column: string])[] = [
  ['name', 'name'],
  ['maxConcurrency', 'max_concurrency'],
  ['callerLines', 'caller_lines'],
  ['dispatchPerMinute', 'dispatch_per_minute'],
  ['otherPerMinute', 'other_per_minute'],
];

const given = (change: OrganizationChange) => COLUMNS.filter(([field]) => change[field] !== undefined);

/** Returns the changed columns, for the audit log. */
export const changedColumns = (change: OrganizationChange): string[] =>
  given(change).map(([, column]) => column);

/**
 * Changes at least one field. With fewer lines, live calls continue and new ones wait; additional lines are granted at the next end of a call or
 * by reconciliation.
 */
export async function updateOrganization(
  trx: Db,
  organizationId: string,
  change: OrganizationChange,
): Promise<Organization> {
  const values = Object.fromEntries(given(change).map(([field, column]) => [column, change[field]]));
  await trx('organizations').where({ id: organizationId }).update(values);
  return onlyRow<Organization>(trx, `${SELECT_ORGANIZATION} where c.id = :organizationId`, {
    organizationId,
  });
}
