/** Creates, changes and archives agents. */
import { insertAgent } from '../../db/agents/agents';
import {
  archiveAgent,
  changeAgentConfig,
  type ConfigChangeResult,
  type StoredAgentConfig,
} from '../../db/agents/changes';
import type { NumberRule } from '../../db/agents/numbers';
import type { ChangedRoute } from '../../db/calls/inbound-routes';
import type { SecretsKeys } from '../../db/kernel/secrets-keys';
import type { Actor } from '../../db/organizations/audit';
import { inboundNumber, numbersOf, SECTIONS, type SectionName } from '../../domain/agent-config';
import type { Row, Table } from '../../domain/agent-config/rows';
import { agentStatus } from '../../domain/agent-status';
import { isJsonObject, type JsonObject } from '../../domain/json';
import { nthSlug, slugOf } from '../../domain/slug';
import type { TransferRules } from '../../domain/transfer';
import { ownTurn } from '../../runtime/loop-turn';
import { orReconciled, type ApiDependencies } from '../dependencies';
import type { TemporalPort } from '../dependencies/temporal-client';
import type { ApiClient } from '../http/auth/api-key';
import { assertRoom, bytesOf } from '../http/limits';
import { agentNotFound, invalidInput, numberInUse, numberNotYours } from '../http/errors/refusals';
import { AgentSecrets, maskedPlaces, withoutMasks } from './config/secrets';
import { reviseSection, type SectionChange } from './revise-section';
import type { NewAgentInput } from './schema';

export async function createAgent(
  deps: ApiDependencies,
  { displayName: name, config }: NewAgentInput,
  organization: ApiClient,
): Promise<{ agentId: string; displayName: string }> {
  const { db, clock, settings } = deps;
  await assertRoom(deps, organization, { agents: 1, agent_bytes: bytesOf(config) });
  const insertion = await insertAgent(db, {
    organizationId: organization.id,
    displayName: name,
    nthName: (n) => nthSlug(slugOf(name), n),
    status: agentStatus(config),
    config: new AgentSecrets({ ...settings, organizationId: organization.id }).seal(config),
    inboundNumber: inboundNumber(config),
    numbers: numbersOf(config),
    numberRule: settings,
    actor: organization.actor,
    now: clock.now(),
  });
  if (insertion.kind === 'number_not_yours') throw numberNotYours();
  if (insertion.kind === 'number_in_use') throw numberInUse();
  await signalRoutes(deps, { organizationId: organization.id, agentId: insertion.id }, insertion.routes);
  return { agentId: insertion.id, displayName: name };
}

export interface AgentTarget {
  agentId: string;
  organizationId: string;
  actor: Actor;
}

/** A change without effect succeeds and creates no version. */
export async function updateSection(
  deps: Pick<ApiDependencies, 'db' | 'clock'> &
    RouteDependencies & { settings: { secretsKeys: SecretsKeys } & NumberRule & TransferRules },
  target: AgentTarget,
  { section, change: sent }: SectionChange,
): Promise<void> {
  const { db, clock, settings } = deps;
  const secrets = new AgentSecrets({ ...settings, ...target });
  const change = secrets.sealSection(section, withoutMasks(section, sent));
  await ownTurn();
  const wanted = { section, change, masks: maskedPlaces(section, sent), transferRules: settings };
  const fields = namedFields(wanted.section, wanted.change);
  const revise = (stored: StoredAgentConfig) => reviseSection(stored, wanted);
  const result = await changeAgentConfig(db, {
    ...target,
    numbers: numbersOf({ [section]: change }),
    numberRule: settings,
    inboundNumber: inboundNumber({ [section]: change }),
    revise,
    fields,
    now: clock.now(),
  });
  if (result.kind === 'refused') {
    const { place = [], ...fault } = result.refusal;
    throw invalidInput([{ loc: ['body', ...place], ...fault }]);
  }
  await changedVersion(deps, target, result);
}

/** @throws ApiError 404 if the agent is unknown or already archived */
export async function removeAgent(
  deps: Pick<ApiDependencies, 'db' | 'clock'> & RouteDependencies,
  target: AgentTarget,
): Promise<void> {
  const routes = await archiveAgent(deps.db, { ...target, now: deps.clock.now() });
  if (routes === null) throw agentNotFound();
  await signalRoutes(deps, target, routes);
}

/**
 * Returns the new version and signals the changed inbound routes.
 * @throws ApiError if the change was refused
 */
export async function changedVersion(
  deps: RouteDependencies,
  target: { organizationId: string; agentId: string },
  result: Exclude<ConfigChangeResult<unknown>, { kind: 'refused' }>,
): Promise<number> {
  switch (result.kind) {
    case 'updated':
      await signalRoutes(deps, target, result.routes);
      return result.version;
    case 'unknown':
      throw agentNotFound();
    case 'number_not_yours':
      throw numberNotYours();
    case 'number_in_use':
      throw numberInUse();
  }
}

export type RouteDependencies = Pick<ApiDependencies, 'log'> & {
  temporal: Pick<TemporalPort, 'signalRoute'>;
};

/**
 * Signals the workflows of inbound routes that changed with an agent. If Temporal is down, reconciliation finds the changed rows within
 * seconds, so the request succeeds.
 */
async function signalRoutes(
  { temporal, log }: RouteDependencies,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  routes: readonly ChangedRoute[],
): Promise<void> {
  await orReconciled(
    routes.map((route) => temporal.signalRoute(route, { organizationId, agentId })),
    () => log.warn({ agent_id: agentId }, 'agent changed; reconciliation will register its inbound number'),
  );
}

/**
 * Returns the dotted paths of the changed fields that the section's table defines. A path ends before a key chosen by the API client, such
 * as an FAQ question, because it may be personal data.
 */
export const namedFields = (section: SectionName, change: JsonObject): string[] => [
  ...new Set(pathsOf(section, SECTIONS[section].rows, change)),
];

function pathsOf(path: string, known: Table, value: unknown): string[] {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, inner]) => {
    const row = Object.hasOwn(known, key) ? known[key] : undefined;
    return row === undefined || row.isUnchecked === true
      ? [path]
      : pathsOf(`${path}.${key}`, innerRows(row), inner);
  });
}

const innerRows = (row: Row): Table => (row.kind === 'group' ? row.rows : {});
