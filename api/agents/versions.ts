/** Versions of an agent's configuration: list and restore. */
import { findAgent } from '../../db/agents/agents';
import { changeAgentConfig } from '../../db/agents/changes';
import type { NumberRule } from '../../db/agents/numbers';
import { agentVersions, configOfVersion, type AgentVersion } from '../../db/agents/versions';
import type { SecretsKeys } from '../../db/kernel/secrets-keys';
import { inboundNumber, numbersOf, SECTION_NAMES } from '../../domain/agent-config';
import type { TransferRules } from '../../domain/transfer';
import type { ApiDependencies, RouteTools } from '../dependencies';
import { answers, byKey, endpoint, json, type Endpoint } from '../http/endpoint';
import { pageOf, paging } from '../http/input/fields';
import { iso, presentPagination, pagination } from '../http/responses';
import { constant, flag, integer, oneOf, timestamp } from '../http/schema/kinds';
import {
  agentNotFound,
  invalidInput,
  numberInUse,
  numberNotYours,
  versionNotFound,
} from '../http/errors/refusals';
import { about, list, object, type ValueOf } from '../http/schema/field';
import { changedVersion, type AgentTarget, type RouteDependencies } from './change';
import { AgentSecrets } from './config/secrets';
import { withoutForbiddenTransfers } from './config/validate';
import { reviseWhole } from './revise-section';
import { agentParams } from './schema';

/** Maximum of a Postgres integer. */
export const MAX_VERSION = 2_147_483_647;

const agentVersion = object(
  {
    version: about(integer(1), 'Number of the version. Each change increments it'),
    created_at: about(timestamp(), 'Time of the change'),
    current: about(flag(), 'True if new calls use this version'),
    used: about(flag(), 'True if any call used this version'),
    changed: about(
      list(oneOf(...SECTION_NAMES)),
      'Sections that differ from the previous version. For the first version, the sections that it sets',
    ),
  },
  { name: 'AgentVersion' },
);
type AgentVersionBody = ValueOf<typeof agentVersion>;

const versionRestored = object(
  { success: constant(true), version: about(integer(1), 'Number of the new current version') },
  { name: 'VersionRestored' },
);

export const versionEndpoints = (tools: RouteTools): Endpoint[] => [listing(tools), restoring(tools)];

const listing = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/agent/:agent_id/versions',
    tag: 'Agents',
    summary: "List the versions of an agent's configuration, newest first",
    description:
      'Each change creates a version. Versions used by a call, the current version and the 50 before it are kept. Read one with `GET /api/agent/{agent_id}?version=`.',
    access: byKey,
    scope: 'read',
    input: { params: agentParams, query: object(paging({ default: 20, max: 50 })) },
    answer: answers(
      'A page of versions',
      object({ data: list(agentVersion), pagination }, { name: 'AgentVersionPage' }),
    ),
    refusals: [agentNotFound()],
    handle: async ({ params: { agent_id }, query }, organization) => {
      if ((await findAgent(db, organization.id, agent_id)) === undefined) throw agentNotFound();
      return agentVersions(db, agent_id, pageOf(query));
    },
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map(presentVersion),
      pagination: presentPagination(query, total),
    }),
  });

const presentVersion = ({ version, createdAt, current, used, changed }: AgentVersion): AgentVersionBody => ({
  version,
  created_at: iso(createdAt),
  current,
  used,
  changed,
});

const restoring = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/agent/:agent_id/restore',
    tag: 'Agents',
    summary: 'Restore an earlier version of an agent',
    description:
      'Restores all five sections and their secrets as a new version. A call keeps the configuration with which it started. If nothing differs, no version is created.',
    access: byKey,
    scope: 'configure',
    input: {
      params: agentParams,
      body: json(
        object(
          { version: about(integer(1, MAX_VERSION), 'Number of the version to restore', 1) },
          { name: 'RestoreVersion' },
        ),
        { examples: { first: { summary: 'Restore the first version', value: { version: 1 } } } },
      ),
    },
    answer: answers('The version that is now current', versionRestored),
    refusals: [agentNotFound(), versionNotFound(), numberNotYours(), numberInUse()],
    handle: ({ params: { agent_id }, body }, organization) =>
      restoreVersion(
        deps,
        { agentId: agent_id, organizationId: organization.id, actor: organization.actor },
        body.version,
      ),
    present: (version) => ({ success: true, version }) as const,
  });

/**
 * Restores an earlier configuration as a new version and returns its number. Numbers and transfer destinations are checked again, because the
 * rules may have changed. If nothing differs, no version is created.
 */
async function restoreVersion(
  deps: Pick<ApiDependencies, 'db' | 'clock'> &
    RouteDependencies & { settings: { secretsKeys: SecretsKeys } & NumberRule & TransferRules },
  target: AgentTarget,
  version: number,
): Promise<number> {
  const { db, clock, settings } = deps;
  const { agentId, organizationId } = target;
  if ((await findAgent(db, organizationId, agentId)) === undefined) throw agentNotFound();
  const stored = await configOfVersion(db, agentId, version);
  if (stored === undefined) throw versionNotFound();
  const checked = withoutForbiddenTransfers({ value: stored }, (sections) => sections, {
    rules: settings,
    locOf: (section) => ['body', 'version', section],
  });
  if ('faults' in checked) throw invalidInput(checked.faults);
  // An operator may be rotating the encryption key.
  const config = new AgentSecrets({ ...settings, organizationId }).resealed(stored) ?? stored;
  const result = await changeAgentConfig<never>(db, {
    ...target,
    numbers: numbersOf(config),
    numberRule: settings,
    inboundNumber: inboundNumber(config),
    revise: (before) => ({ revision: reviseWhole(before, config) }),
    action: 'agent.restore',
    fields: [`version.${version}`],
    now: clock.now(),
  });
  if (result.kind === 'refused') throw new Error('a stored configuration was rejected');
  return changedVersion(deps, target, result);
}
