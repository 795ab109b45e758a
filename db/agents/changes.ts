import { storeVersion, isInboundElsewhere, lockAgent } from './agents';
import { usableNumbers, type NumberRule } from './numbers';
import { recordAudit, type Actor } from '../organizations/audit';
import type { Db } from '../kernel/connection';
import { changeRoute, type ChangedRoute, type RouteChange } from '../calls/inbound-routes';
import { onlyRow, rows, timestamp } from '../kernel/query';

export interface StoredAgentConfig {
  version: number;
  /** Configuration by section. */
  config: Record<string, unknown>;
}

export interface Revision {
  config: Record<string, unknown>;
  status: 'initialized' | 'running';
  /** How the change affects the number that the agent answers. */
  route: RouteChange;
}

interface ConfigChange<Refusal> {
  organizationId: string;
  agentId: string;
  /** Numbers in the change, for outbound or inbound calls. `numberRule` must allow each of them. */
  numbers: readonly string[];
  numberRule: NumberRule;
  /** Inbound number in the change, if any. The agent takes over its route from another agent. */
  inboundNumber?: string | null;
  /** Decides what to store. Runs while the agent is locked. A null revision changes nothing. */
  revise: (stored: StoredAgentConfig) => { revision: Revision | null } | { refusal: Refusal };
  /** Action for the audit log, with the names of the changed fields. Default: `agent.update`. */
  action?: 'agent.update' | 'agent.restore';
  fields: string[];
  actor: Actor;
  now: number;
}

export type ConfigChangeResult<Refusal> =
  /** `version` is the version that new calls use. It stays the same if nothing was changed. */
  | { kind: 'updated'; version: number; routes: ChangedRoute[] }
  | { kind: 'unknown' }
  | { kind: 'number_not_yours' }
  | { kind: 'number_in_use' }
  | { kind: 'refused'; refusal: Refusal };

/**
 * Stores the revised configuration as the current version. Simultaneous changes run one after the other. Returns `unknown` for archived
 * agents and those of other organizations.
 */
export function changeAgentConfig<Refusal>(
  db: Db,
  {
    organizationId,
    agentId,
    numbers,
    numberRule,
    inboundNumber = null,
    revise,
    action = 'agent.update',
    fields,
    actor,
    now,
  }: ConfigChange<Refusal>,
): Promise<ConfigChangeResult<Refusal>> {
  return db.transaction(async (trx) => {
    if (!(await lockAgent(trx, organizationId, agentId))) return { kind: 'unknown' };
    const usable = await usableNumbers(trx, { organizationId, numbers }, numberRule);
    if (usable.length < numbers.length) return { kind: 'number_not_yours' };
    const stored = await currentVersion(trx, agentId);
    const decision = revise(stored);
    if ('refusal' in decision) return { kind: 'refused', refusal: decision.refusal };
    const { revision } = decision;
    const route = await withLostRoute(trx, agentId, inboundNumber, revision?.route ?? { kind: 'none' });
    if (revision === null && route.kind === 'none')
      return { kind: 'updated', version: stored.version, routes: [] };
    if (route.kind === 'take' && (await isInboundElsewhere(trx, { ...route, organizationId }, agentId))) {
      return { kind: 'number_in_use' };
    }
    const version =
      revision === null ? stored.version : await storeVersion(trx, { ...revision, agentId, now });
    const routes = await changeRoute(trx, { organizationId, agentId }, route, now);
    await recordAudit(trx, { organizationId, actor, action, subjectId: agentId, fields, now });
    return { kind: 'updated', version, routes };
  });
}

/** Takes the agent's number back if another agent has its route, which happens when the number was temporarily registered to another organization. */
async function withLostRoute(
  trx: Db,
  agentId: string,
  number: string | null,
  route: RouteChange,
): Promise<RouteChange> {
  if (number === null || route.kind === 'take' || route.kind === 'release') return route;
  const own = await rows(trx, 'select from inbound_routes where agent_id = :agentId and number = :number', {
    agentId,
    number,
  });
  return own.length > 0 ? route : { kind: 'take', number };
}

/** This must be a separate statement, because the statement that waited for the lock still sees the version from before the wait. */
function currentVersion(trx: Db, agentId: string): Promise<StoredAgentConfig> {
  return onlyRow<StoredAgentConfig>(
    trx,
    `select a.version, f.config from agents a join agent_versions v on v.agent_id = a.id and v.version = a.version
     join agent_configs f on f.id = v.config_id where a.id = :agentId`,
    { agentId },
  );
}

/**
 * Archives an agent and returns the routes to remove at the carrier. Returns null if the organization has no such agent. Live calls finish,
 * and campaigns continue with the current version.
 */
export function archiveAgent(
  db: Db,
  {
    organizationId,
    agentId,
    actor,
    now,
  }: { organizationId: string; agentId: string; actor: Actor; now: number },
): Promise<ChangedRoute[] | null> {
  return db.transaction(async (trx) => {
    if (!(await lockAgent(trx, organizationId, agentId))) return null;
    await rows(
      trx,
      `update agents set archived = true, status = 'stopped', last_edited_at = :now where id = :agentId`,
      { agentId, now: timestamp(now) },
    );
    await rows(trx, 'delete from agent_conversations where agent_id = :agentId', { agentId });
    await removeUnusedVersions(trx, agentId);
    const routes = await changeRoute(trx, { organizationId, agentId }, { kind: 'release' }, now);
    await recordAudit(trx, { organizationId, actor, action: 'agent.archive', subjectId: agentId, now });
    return routes;
  });
}

/** Removes all unused versions except the current one. Skips locked versions, because a first call is about to use them. */
async function removeUnusedVersions(trx: Db, agentId: string): Promise<void> {
  const removed = await rows<{ configId: string }>(
    trx,
    `with unused as (
       select v.version from agent_versions v join agents a on a.id = v.agent_id
       where v.agent_id = :agentId and not v.used and v.version <> a.version for update of v skip locked)
     delete from agent_versions v using unused where v.agent_id = :agentId and v.version = unused.version
     returning v.config_id as "configId"`,
    { agentId },
  );
  await rows(
    trx,
    `delete from agent_configs f where f.id = any(:configIds)
       and not exists (select from agent_versions v where v.config_id = f.id)`,
    { configIds: removed.map(({ configId }) => configId) },
  );
}
