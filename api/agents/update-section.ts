import type { Actor } from '../../db/organizations/audit';
import type { NumberRule } from '../../db/agents/numbers';
import { inboundNumber, numbersOf } from '../../domain/agent-config';
import { archiveAgent, changeAgentConfig, type StoredAgentConfig } from '../../db/agents/changes';
import type { SecretsKeys } from '../../db/kernel/secrets-keys';
import { AgentSecrets } from './config/secrets/agent-secrets';
import { maskedPlaces, withoutMasks } from './config/secrets/masked';
import type { ApiDependencies } from '../dependencies';
import { agentNotFound, invalidInput } from '../http/errors/refusals';
import type { TransferRules } from '../../domain/transfer';
import { changedVersion } from './changed-version';
import { ownTurn } from '../../runtime/loop-turn';
import { namedFields } from './named-fields';
import { reviseSection, type SectionChange } from './revise-section';
import { signalRoutes, type RouteDependencies } from './signal-routes';

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

/** @throws ApiError 404 also if the agent is already archived */
export async function removeAgent(
  deps: Pick<ApiDependencies, 'db' | 'clock'> & RouteDependencies,
  target: AgentTarget,
): Promise<void> {
  const routes = await archiveAgent(deps.db, { ...target, now: deps.clock.now() });
  if (routes === null) throw agentNotFound();
  await signalRoutes(deps, target, routes);
}
