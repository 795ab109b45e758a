import { randomUUID } from 'node:crypto';
import type { Quotas } from '../../domain/quotas';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows } from '../kernel/query';

/** Maximum number of lines of an organization. */
export const MOST_LINES = 999_999;

/** An organization, which owns keys, agents, campaigns and calls. */
export interface Client {
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

/** SQL columns of a Client, from `clients c`. */
export const CLIENT_COLUMNS = `c.id, c.name, c.max_concurrency as "maxConcurrency",
  caller_lines_of(c) as "callerLines", c.spend_per_day as "spendPerDay",
  json_build_object('dispatchPerMinute', c.dispatch_per_minute, 'otherPerMinute', c.other_per_minute) as "rateLimits",
  c.quotas`;

const CLIENT = `select ${CLIENT_COLUMNS} from clients c`;

export async function insertClient(
  db: Db,
  { name, maxConcurrency }: { name: string; maxConcurrency?: number },
): Promise<Client> {
  const id = randomUUID();
  const limits = maxConcurrency === undefined ? {} : { max_concurrency: maxConcurrency };
  await db('clients').insert({ id, name, ...limits });
  return onlyRow<Client>(db, `${CLIENT} where c.id = :id`, { id });
}

export function findClient(db: Db, clientId: string): Promise<Client | undefined> {
  return firstRow<Client>(db, `${CLIENT} where c.id = :clientId`, { clientId });
}

export function newestClient(db: Db): Promise<Client | undefined> {
  return firstRow<Client>(db, `${CLIENT} order by c.created_at desc, c.id limit 1`);
}

/** Names aren't unique, so the caller must check how many organizations it gets. */
export function clientsNamed(db: Db, name: string): Promise<Client[]> {
  return rows<Client>(db, `${CLIENT} where c.name = :name order by c.created_at, c.id`, { name });
}

/** Locks the organization against changes of its keys and secrets and against grants of its lines. */
export async function lockClient(trx: Db, clientId: string): Promise<void> {
  await rows(trx, 'select 1 from clients where id = :clientId for no key update', { clientId });
}

/** Undefined fields stay. Null uses the configured limit. */
export interface ClientChange {
  name?: string | undefined;
  maxConcurrency?: number | undefined;
  callerLines?: number | null | undefined;
  dispatchPerMinute?: number | null | undefined;
  otherPerMinute?: number | null | undefined;
}

const COLUMNS: readonly (readonly [field: keyof ClientChange, column: string])[] = [
  ['name', 'name'],
  ['maxConcurrency', 'max_concurrency'],
  ['callerLines', 'caller_lines'],
  ['dispatchPerMinute', 'dispatch_per_minute'],
  ['otherPerMinute', 'other_per_minute'],
];

const given = (change: ClientChange) => COLUMNS.filter(([field]) => change[field] !== undefined);

/** Returns the changed columns, for the audit log. */
export const changedColumns = (change: ClientChange): string[] => given(change).map(([, column]) => column);

/**
 * Changes at least one field. With fewer lines, live calls continue and new ones wait; additional lines are granted at the next end of a call or
 * by reconciliation.
 */
export async function updateClient(trx: Db, clientId: string, change: ClientChange): Promise<Client> {
  const values = Object.fromEntries(given(change).map(([field, column]) => [column, change[field]]));
  await trx('clients').where({ id: clientId }).update(values);
  return onlyRow<Client>(trx, `${CLIENT} where c.id = :clientId`, { clientId });
}
