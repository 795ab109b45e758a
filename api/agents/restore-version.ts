import { findAgent } from '../../db/agents/agents';
import { changeAgentConfig } from '../../db/agents/changes';
import type { NumberRule } from '../../db/agents/numbers';
import { configOfVersion } from '../../db/agents/versions';
import type { SecretsKeys } from '../../db/kernel/secrets-keys';
import { inboundNumber, numbersOf } from '../../domain/agent-config';
import type { TransferRules } from '../../domain/transfer';
import type { ApiDependencies } from '../dependencies';
import { agentNotFound, invalidInput, versionNotFound } from '../http/errors/refusals';
import { changedVersion } from './changed-version';
import { withoutForbiddenTransfers } from './config';
import { AgentSecrets } from './config/secrets/agent-secrets';
import { reviseWhole } from './revise-section';
import type { RouteDependencies } from './signal-routes';
import type { AgentTarget } from './update-section';

/**
 * Restores an earlier configuration as a new version and returns its number. Numbers and transfer destinations are checked again, because the
 * rules may have changed. If nothing differs, no version is created.
 */
export async function restoreVersion(
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
  if (result.kind === 'refused') throw new Error('a stored configuration was refused');
  return changedVersion(deps, target, result);
}
