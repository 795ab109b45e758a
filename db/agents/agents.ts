import { randomInt, randomUUID } from 'node:crypto';
import type { AgentStatus } from '../../domain/agent-status';
import { countOf, type Conditions } from '../kernel/conditions';
import { usableNumbers, type NumberRule } from './numbers';
import { recordAudit, type Actor } from '../organizations/audit';
import type { Db } from '../kernel/connection';
import { changeRoute, type ChangedRoute } from '../calls/inbound-routes';
import {
  batchesOf,
  collected,
  keptTotal,
  sortedBy,
  streamedPage,
  type Listed,
  type Page,
  type StreamedPage,
} from '../kernel/list-page';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

/** Agent as shown in lists, with only part of its configuration. */
export interface ListedAgent {
  id: string;
  /** Slug, unique within the organization. */
  agentName: string;
  displayName: string;
  organizationId: string;
  organizationName: string;
  published: boolean;
  publishedAt: Date | null;
  lastEditedAt: Date;
  status: AgentStatus;
  gsheetConfig: Record<string, unknown> | null;
  archived: boolean;
  /** Deployment section as stored; null if it was never set. */
  deploymentConfig: Record<string, unknown> | null;
}

export interface Agent extends ListedAgent {
  version: number;
  /** Configuration by section. */
  config: Record<string, Record<string, unknown>>;
}

const LISTED = `a.id, a.agent_name as "agentName", a.display_name as "displayName", a.organization_id as "organizationId",
  c.name as "organizationName", a.published, a.published_at as "publishedAt", a.last_edited_at as "lastEditedAt", a.status,
  a.gsheet_config as "gsheetConfig", a.archived, a.deployment as "deploymentConfig"`;

const FROM_AGENTS = 'from agents a join organizations c on c.id = a.organization_id';

const AGENT = `select ${LISTED}, a.version, f.config ${FROM_AGENTS}
  join agent_versions v on v.agent_id = a.id and v.version = a.version join agent_configs f on f.id = v.config_id`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Finds an agent by id or slug (a slug never looks like a UUID). Returns undefined for archived agents and those of other organizations.
 */
export function findAgent(db: Db, organizationId: string, idOrName: string): Promise<Agent | undefined> {
  const condition = UUID.test(idOrName) ? 'a.id = :idOrName' : 'a.agent_name = :idOrName';
  return firstRow<Agent>(
    db,
    `${AGENT} where a.organization_id = :organizationId and not a.archived and ${condition}`,
    {
      organizationId,
      idOrName,
    },
  );
}

/** Returns the configuration by section, also for an archived agent, because its campaigns continue. */
export async function currentConfig(db: Db, agentId: string): Promise<Agent['config']> {
  const { config } = await onlyRow<Agent>(db, `${AGENT} where a.id = :agentId`, { agentId });
  return config;
}

interface AgentFilter {
  organizationId: string;
  search?: string;
  publishedOnly: boolean;
}

function conditionsOf({ organizationId, search, publishedOnly }: AgentFilter): Conditions {
  const published = publishedOnly ? ' and published' : '';
  const where = `organization_id = :organizationId and not archived${published}`;
  if (search === undefined || search === '') return { where, bindings: { organizationId } };
  return {
    where: `${where} and (position(fold(:search) in fold(display_name)) > 0 or position(fold(:search) in agent_name) > 0)`,
    bindings: { organizationId, search },
  };
}

function totalOf(db: Db, { organizationId, search, publishedOnly }: AgentFilter, found: Conditions) {
  if (search !== undefined && search !== '') return countOf(db, 'agents', found, 'created_at desc, id desc');
  return keptTotal(db, organizationId, 'agents', publishedOnly ? 'published' : undefined);
}

/** Returns a page of agents, newest first. */
export function agentPage(db: Db, filter: AgentFilter, page: Page): Promise<StreamedPage<ListedAgent>> {
  const found = conditionsOf(filter);
  return streamedPage(page, totalOf(db, filter, found), {
    keys: ({ limit, offset }) =>
      agentIds(db, `${found.where} ${sortedBy('desc', 'created_at', 'id')}`, {
        ...found.bindings,
        limit,
        offset,
      }),
    rows: (ids) => agentsOf(db, filter.organizationId, ids),
  });
}

/** Returns all matching agents in batches, newest first. */
export async function everyAgent(db: Db, filter: AgentFilter): Promise<AsyncIterable<ListedAgent[]>> {
  const { where, bindings } = conditionsOf(filter);
  const ids = await agentIds(db, `${where} order by created_at desc, id desc`, bindings);
  return batchesOf(ids, (some) => agentsOf(db, filter.organizationId, some));
}

async function agentIds(db: Db, where: string, bindings: Conditions['bindings']): Promise<string[]> {
  const found = await rows<{ id: string }>(db, `select id from agents where ${where}`, bindings);
  return found.map(({ id }) => id);
}

const agentsOf = (db: Db, organizationId: string, ids: string[]): Promise<ListedAgent[]> =>
  rows<ListedAgent>(
    db,
    `select ${LISTED} ${FROM_AGENTS} where a.organization_id = :organizationId and a.id = any(:ids) order by a.created_at desc, a.id desc`,
    { organizationId, ids },
  );

export const listAgents = async (db: Db, filter: AgentFilter, page: Page): Promise<Listed<ListedAgent>> =>
  collected(await agentPage(db, filter, page));

export const allAgents = async (db: Db, filter: AgentFilter): Promise<ListedAgent[]> =>
  (await collected({ total: 0, batches: await everyAgent(db, filter) })).items;

interface NewAgent {
  organizationId: string;
  displayName: string;
  /**
   * Returns the n-th candidate for the slug, counting from 1. The first free candidate up to 100 is used. If none is free, a random n is
   * used.
   */
  nthName: (n: number) => string;
  status: AgentStatus;
  config: Record<string, unknown>;
  /** Number that the agent answers. Null if it answers none. */
  inboundNumber: string | null;
  /** All numbers in the agent's configuration. `numberRule` must allow each of them. */
  numbers: readonly string[];
  numberRule: NumberRule;
  actor: Actor;
  now: number;
}

type AgentInsertion =
  | { kind: 'inserted'; id: string; routes: ChangedRoute[] }
  | { kind: 'number_not_yours' }
  | { kind: 'number_in_use' };

/** Inserts the agent as version 1 and publishes it. Waits for other inserts in the same organization or with the same number. */
export function insertAgent(db: Db, agent: NewAgent): Promise<AgentInsertion> {
  return db.transaction(async (trx) => {
    await lockAgentNames(trx, agent.organizationId);
    const usable = await usableNumbers(trx, agent, agent.numberRule);
    if (usable.length < agent.numbers.length) return { kind: 'number_not_yours' };
    const { organizationId, actor, now, inboundNumber: number } = agent;
    if (number !== null && (await isInboundElsewhere(trx, { number, organizationId }))) {
      return { kind: 'number_in_use' };
    }
    const id = randomUUID();
    const instant = timestamp(agent.now);
    await trx('agents').insert({
      id,
      organization_id: agent.organizationId,
      agent_name: await freeName(trx, agent),
      display_name: agent.displayName,
      status: agent.status,
      published: true,
      published_at: instant,
      last_edited_at: instant,
      created_at: instant,
    });
    await storeVersion(trx, { ...agent, agentId: id });
    const route = number === null ? ({ kind: 'none' } as const) : ({ kind: 'take', number } as const);
    const routes = await changeRoute(trx, { organizationId, agentId: id }, route, now);
    await recordAudit(trx, { organizationId, actor, action: 'agent.create', subjectId: id, now });
    return { kind: 'inserted', id, routes };
  });
}

const NAMES_IN_ORDER = 100;
const NAMES_AT_RANDOM = 5;
const MAX_AT_RANDOM = 1_000_000_000;

async function freeName(trx: Db, { organizationId, nthName }: NewAgent): Promise<string> {
  const inOrder = Array.from({ length: NAMES_IN_ORDER }, (_, index) => nthName(index + 1));
  const atRandom = Array.from({ length: NAMES_AT_RANDOM }, () => nthName(randomInt(MAX_AT_RANDOM)));
  const { name } = await onlyRow<{ name: string }>(
    trx,
    `select name from unnest(:candidates::text[]) with ordinality as candidate(name, place)
     where not exists (select from agents where organization_id = :organizationId and agent_name = name) order by place limit 1`,
    { organizationId, candidates: [...inOrder, ...atRandom] },
  );
  return name;
}

/**
 * Stores the configuration as the agent's current version, which new calls use, and returns the version number. The caller must hold the
 * agent's lock or have inserted the agent.
 */
export async function storeVersion(
  trx: Db,
  { agentId, config, status, now }: Pick<NewAgent, 'config' | 'status' | 'now'> & { agentId: string },
): Promise<number> {
  const { version } = await onlyRow<{ version: number }>(
    trx,
    'select store_version(:agentId, :config, :status, :now) as version',
    { agentId, config: JSON.stringify(config), status, now: timestamp(now) },
  );
  return version;
}

/** Lets only one transaction at a time choose agent names in an organization. */
const lockAgentNames = (trx: Db, organizationId: string): Promise<void> =>
  lockFor(trx, `agent names of ${organizationId}`);

/**
 * Returns whether another agent answers the number. If the number is registered to the organization, only its own agents matter. Locks the
 * number so that two simultaneous transactions can't both find it free.
 */
export async function isInboundElsewhere(
  trx: Db,
  { number, organizationId }: { number: string; organizationId: string },
  except: string | null = null,
): Promise<boolean> {
  await lockFor(trx, `inbound number ${number}`);
  const other = await firstRow<{ id: string }>(
    trx,
    `select id from agents where not archived and deployment #>> '{phone,call_type,Inbound}' = :number
       and id is distinct from :except::uuid
       and (organization_id = :organizationId or not exists (select from registered_numbers where number = :number and organization_id = :organizationId)) limit 1`,
    { number, organizationId, except },
  );
  return other !== undefined;
}

/** Locks an agent against other changes until the transaction ends. Returns false for an archived agent or one of another organization. */
export async function lockAgent(trx: Db, organizationId: string, agentId: string): Promise<boolean> {
  const found = await rows(
    trx,
    'select from agents where id = :agentId and organization_id = :organizationId and not archived for no key update',
    { agentId, organizationId },
  );
  return found.length > 0;
}

async function lockFor(trx: Db, subject: string): Promise<void> {
  await rows(trx, 'select pg_advisory_xact_lock(hashtextextended(:subject, 0))', { subject });
}
