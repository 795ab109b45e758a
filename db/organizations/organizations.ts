import { randomUUID } from 'node:crypto';
import type { Quotas } from '../../domain/quotas';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

/** Maximum number of lines of an organization. */
export const MAX_LINES = 999_999;

/** Owner of API keys, agents, campaigns and calls. */
export interface Organization {
  id: string;
  name: string;
  /** Number of lines, shared by campaigns, dispatches and inbound calls. */
  maxConcurrency: number;
  /** Number of these lines that inbound calls can use. */
  callerLines: number;
  /** The organization's own spend limit in credits per UTC day. Null uses the configured limit. 0 means no limit. */
  spendPerDay: number | null;
  /** Requests per minute. Null uses the configured limit. 0 means no limit. */
  rateLimits: { dispatchPerMinute: number | null; otherPerMinute: number | null };
  /** The organization's own quotas. 0 means no limit. The configured quotas apply to the others. */
  quotas: Partial<Quotas>;
}

/** SQL columns of an Organization, from `organizations c`. */
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

/** Returns all organizations with this name, because names aren't unique. */
export function organizationsNamed(db: Db, name: string): Promise<Organization[]> {
  return rows<Organization>(db, `${SELECT_ORGANIZATION} where c.name = :name order by c.created_at, c.id`, {
    name,
  });
}

/** Locks the organization until the transaction ends, so that its keys and secrets don't change and no line is granted. */
export async function lockOrganization(trx: Db, organizationId: string): Promise<void> {
  await rows(trx, 'select 1 from organizations where id = :organizationId for no key update', {
    organizationId,
  });
}

/** Undefined fields stay unchanged. Null uses the configured limit. */
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
 * Changes at least one field. With fewer lines, live calls continue and new calls wait. Additional lines are granted when the next call
 * ends, or by reconciliation.
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

interface LineUsage {
  /** Calls that hold a line. */
  liveCalls: number;
  /** Dispatched calls without a line, and calls that campaigns keep ready for the next free lines. */
  waitingCalls: number;
}

/** SQL columns of a LineUsage, from `organizations c`. */
const LINE_USAGE = `(select count(*) from lines l where l.organization_id = c.id) as "liveCalls",
  (select count(*) from calls w where w.organization_id = c.id and w.stage = 'waiting')
  + (select count(*) from calls w where w.organization_id = c.id and w.stage = 'claimed') as "waitingCalls"`;

/** Counts an organization's calls in one statement, so that no call is counted twice. */
export function lineUsage(db: Db, organizationId: string): Promise<LineUsage> {
  return onlyRow<LineUsage>(db, `select ${LINE_USAGE} from organizations c where c.id = :organizationId`, {
    organizationId,
  });
}

interface OrganizationSummary extends Organization, LineUsage {
  createdAt: Date;
}

interface OrganizationOverview extends OrganizationSummary {
  /** Valid keys. `signingSecrets` counts valid secrets. */
  keys: number;
  signingSecrets: number;
  agents: number;
  campaigns: number;
  openCampaigns: number;
  dndNumbers: number;
}

const SUMMARY = `${ORGANIZATION_COLUMNS}, c.created_at as "createdAt", ${LINE_USAGE}`;

export function listOrganizations(db: Db): Promise<OrganizationSummary[]> {
  return rows<OrganizationSummary>(db, `select ${SUMMARY} from organizations c order by fold(c.name), c.id`);
}

export function findOrganizationOverview(
  db: Db,
  organizationId: string,
  now: number,
): Promise<OrganizationOverview | undefined> {
  return firstRow<OrganizationOverview>(
    db,
    `select ${SUMMARY},
       (select count(*) from api_keys k where k.organization_id = c.id and k.revoked_at is null
         and (k.expires_at is null or k.expires_at > :now)) as keys,
       (select count(*) from signing_secrets s where s.organization_id = c.id
         and (s.expires_at is null or s.expires_at > :now)) as "signingSecrets",
       (select count(*) from agents a where a.organization_id = c.id and not a.archived) as agents,
       (select count(*) from campaigns p where p.organization_id = c.id) as campaigns,
       (select count(*) from campaigns p where p.organization_id = c.id and p.ended_at is null) as "openCampaigns",
       (select count(*) from dnd_numbers d where d.organization_id = c.id) as "dndNumbers"
     from organizations c where c.id = :organizationId`,
    { organizationId, now: timestamp(now) },
  );
}
