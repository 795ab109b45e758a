import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Db } from './connection';
import { firstRow, onlyRow, rows, timestamp } from './query';

export interface Agent {
  id: string;
  /** The slug: unique within the client. */
  agentName: string;
  displayName: string;
  clientId: string;
  clientName: string;
  published: boolean;
  publishedAt: Date | null;
  lastEditedAt: Date;
  status: string;
  gsheetConfig: unknown;
  archived: boolean;
  version: number;
  config: Record<string, unknown>;
}

const AGENT = `select a.id, a.agent_name as "agentName", a.display_name as "displayName", a.client_id as "clientId",
  c.name as "clientName", a.published, a.published_at as "publishedAt", a.last_edited_at as "lastEditedAt", a.status,
  a.gsheet_config as "gsheetConfig", a.archived, a.version, a.config
  from agents a join clients c on c.id = a.client_id`;

/** By id, or by slug: a slug never reads as a UUID. Another client's and an archived agent are unknown. */
export function findAgent(db: Db, clientId: string, idOrName: string): Promise<Agent | undefined> {
  return firstRow<Agent>(
    db,
    `${AGENT} where a.client_id = :clientId and not a.archived and (a.id::text = lower(:idOrName) or a.agent_name = :idOrName)`,
    { clientId, idOrName },
  );
}

export interface AgentFilter {
  clientId: string;
  search?: string;
  publishedOnly: boolean;
}

function conditionsOf(filter: AgentFilter): { where: string; bindings: Record<string, Knex.RawBinding> } {
  const published = filter.publishedOnly ? ' and a.published' : '';
  const where = `where a.client_id = :clientId and not a.archived${published}`;
  if (filter.search === undefined || filter.search === '') {
    return { where, bindings: { clientId: filter.clientId } };
  }
  const pattern = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`;
  return {
    where: `${where} and (a.display_name ilike :pattern or a.agent_name ilike :pattern)`,
    bindings: { clientId: filter.clientId, pattern },
  };
}

/** The newest first. Without a page, all of them. */
export function listAgents(
  db: Db,
  filter: AgentFilter,
  page?: { limit: number; offset: number },
): Promise<Agent[]> {
  const { where, bindings } = conditionsOf(filter);
  const sorted = `${AGENT} ${where} order by a.created_at desc, a.id desc`;
  if (page === undefined) return rows<Agent>(db, sorted, bindings);
  return rows<Agent>(db, `${sorted} limit :limit offset :offset`, { ...bindings, ...page });
}

export async function countAgents(db: Db, filter: AgentFilter): Promise<number> {
  const { where, bindings } = conditionsOf(filter);
  const { total } = await onlyRow<{ total: number }>(
    db,
    `select count(*) as total from agents a ${where}`,
    bindings,
  );
  return total;
}

export interface NewAgent {
  clientId: string;
  displayName: string;
  /** Candidates for the slug in order of preference; the first that is free is taken. */
  nthName: (n: number) => string;
  status: string;
  config: Record<string, unknown>;
  /** The number whose callers it is to answer, if any. */
  inboundNumber: string | null;
  now: number;
}

export type AgentInsertion = { kind: 'inserted'; id: string } | { kind: 'number_in_use' };

/** Published at once, as version 1. The locks end with the transaction: two agents of one client, or of one number, wait for each other. */
export function insertAgent(db: Db, agent: NewAgent): Promise<AgentInsertion> {
  return db.transaction(async (trx) => {
    await lockFor(trx, `agent names of ${agent.clientId}`);
    if (agent.inboundNumber !== null && (await isInboundElsewhere(trx, agent.inboundNumber))) {
      return { kind: 'number_in_use' };
    }
    const id = randomUUID();
    const instant = timestamp(agent.now);
    await trx('agents').insert({
      id,
      client_id: agent.clientId,
      agent_name: await freeName(trx, agent),
      display_name: agent.displayName,
      status: agent.status,
      published: true,
      published_at: instant,
      last_edited_at: instant,
      version: 1,
      config: JSON.stringify(agent.config),
      created_at: instant,
    });
    await trx('agent_versions').insert({
      agent_id: id,
      version: 1,
      config: JSON.stringify(agent.config),
      created_at: instant,
    });
    return { kind: 'inserted', id };
  });
}

async function isInboundElsewhere(trx: Db, number: string): Promise<boolean> {
  await lockFor(trx, `inbound number ${number}`);
  const other = await firstRow<{ id: string }>(
    trx,
    `select id from agents where not archived and config #>> '{deployment,phone,call_type,Inbound}' = :number limit 1`,
    { number },
  );
  return other !== undefined;
}

async function freeName(trx: Db, { clientId, nthName }: NewAgent): Promise<string> {
  const { total } = await onlyRow<{ total: number }>(
    trx,
    'select count(*) as total from agents where client_id = :clientId',
    { clientId },
  );
  // One candidate more than there are agents: one of them is free.
  const candidates = Array.from({ length: total + 1 }, (_, index) => nthName(index + 1));
  const taken = await rows<{ name: string }>(
    trx,
    `select agent_name as name from agents where client_id = :clientId and agent_name = any(:candidates)`,
    { clientId, candidates },
  );
  const names = new Set(taken.map(({ name }) => name));
  const free = candidates.find((candidate) => !names.has(candidate));
  if (free === undefined) throw new Error('no name was free among more names than there are agents');
  return free;
}

async function lockFor(trx: Db, subject: string): Promise<void> {
  await rows(trx, 'select pg_advisory_xact_lock(hashtextextended(:subject, 0))', { subject });
}
