import { randomUUID } from 'node:crypto';
import type { Quotas } from '../../domain/quotas';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows } from '../kernel/query';

/** That an organisation may be given. */
export const MOST_LINES = 999_999;

/** An organisation: whom keys, agents, campaigns and calls belong to. */
export interface Client {
  id: string;
  name: string;
  /** Most calls live at once, over all campaigns and dispatches of the client. */
  maxConcurrency: number;
  /** How many of these callers may take. */
  callerLines: number;
  /** Its own limit of credits a UTC day; null where the configured one holds, 0 for no limit. */
  spendPerDay: number | null;
  /** Requests a minute. Null where the configured limit holds, 0 for no limit. */
  rateLimits: { dispatchPerMinute: number | null; otherPerMinute: number | null };
  /** Its own quotas. The configured ones hold for those that it lacks; 0 is no limit. */
  quotas: Partial<Quotas>;
}

/** Of a row `c` of clients. */
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

/** Names are not unique: a caller that takes one for an organisation must look how many there are. */
export function clientsNamed(db: Db, name: string): Promise<Client[]> {
  return rows<Client>(db, `${CLIENT} where c.name = :name order by c.created_at, c.id`, { name });
}

/** Waits for other changes of the organisation's keys or secrets and grants of its lines, and keeps them out until the end. */
export async function lockClient(trx: Db, clientId: string): Promise<void> {
  await rows(trx, 'select 1 from clients where id = :clientId for no key update', { clientId });
}

/** What is not given stays. A null override gives way to the configured limit. */
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

/** The columns that the change names, for the audit. */
export const changedColumns = (change: ClientChange): string[] => given(change).map(([, column]) => column);

/**
 * Fewer lines end no call: the client's live calls go on, and no new one begins until they are below the limit. More lines are handed
 * out by the next end of a call or the next reconciliation. At least one field must be given.
 */
export async function updateClient(trx: Db, clientId: string, change: ClientChange): Promise<Client> {
  const values = Object.fromEntries(given(change).map(([field, column]) => [column, change[field]]));
  await trx('clients').where({ id: clientId }).update(values);
  return onlyRow<Client>(trx, `${CLIENT} where c.id = :clientId`, { clientId });
}
