import {
  countActionRequest,
  MAX_ACTION_REQUESTS,
  storedCallContext,
  type StoredCallContext,
} from '../../../db/calls/call-context';
import type { Db } from '../../../db/kernel/connection';
import type { SecretsKeys } from '../../../db/kernel/secrets-keys';
import { hasCustomLlm, maxTalkSeconds, resolveConfig, type AgentConfig } from '../../../domain/agent-config';
import { assertNever } from '../../../domain/assert-never';
import type { CallContextBody } from '../../../domain/call-context';
import type { CustomLlmContext } from '../../../domain/custom-llm-messages';
import { mergedConfig, spokenWith, templateVariables } from '../../../domain/effective-config';
import { isJsonObject, valueAt } from '../../../domain/json';
import { disclosureOf } from '../../../domain/rules/dialling';
import type { RuleProfile, ShippedProfileName } from '../../../domain/rules/profile';
import { profileOf } from '../../../domain/rules/stored-rules';
import { SECRET_MASK } from '../../../domain/secret-mask';
import {
  AgentSecrets,
  withoutMisdirected,
  changedAt,
  headerPlaces,
  textAt,
} from '../../agents/config/secrets';
import { actionLimit, callNotFound, callOver, invalidInput } from '../../http/errors/refusals';

/** Includes the token of a custom LLM. Masks the secrets of actions, because the agent fetches those for each request. */
export function presentCallContext(
  stored: StoredCallContext,
  settings: RuleSettings & { ringTimeoutS: number; secretsKeys: SecretsKeys },
): CallContextBody {
  const { ringTimeoutS, secretsKeys } = settings;
  const secrets = new AgentSecrets({ secretsKeys, organizationId: stored.organizationId });
  const modifyAgent = stored.modifyAgent && secrets.open(stored.modifyAgent);
  const opened = spokenWith(openedConfig(stored, secretsKeys), stored.voice);
  const config = resolveConfig(withoutActionSecrets(opened));
  return {
    call_id: stored.callId,
    medium: stored.medium,
    direction: stored.direction,
    agent: { name: stored.agentName, config },
    variables: templateVariables(config, stored),
    session: stored.session,
    max_talk_s: maxTalkSeconds(config),
    ring_timeout_s: ringTimeoutS,
    amd: config.experience.settings.call_settings.enable_voicemail_detection,
    disclosure: disclosureOf(profilesFor(stored, settings)),
    custom_llm: hasCustomLlm(config) ? customLlm({ ...stored, modifyAgent }) : null,
  };
}

/** The operator's rule profile, and whether it applies to dispatched calls. */
export interface RuleSettings {
  ruleProfile: ShippedProfileName | null;
  rulesForDispatches: boolean;
}

/** Returns the rule profiles that apply to the dial of a call. */
function profilesFor(
  { direction, medium, isDispatch, profiles }: StoredCallContext,
  { ruleProfile, rulesForDispatches }: RuleSettings,
): RuleProfile[] {
  const isDialled = direction === 'Outbound' && medium === 'telephony';
  const isOperators = isDialled && ruleProfile !== null && (rulesForDispatches || !isDispatch);
  return [...(isOperators ? [ruleProfile] : []), ...profiles].map(profileOf);
}

const customLlm = ({
  xAgentId,
  modifyAgent,
  remoteNumber,
  variables,
}: StoredCallContext): CustomLlmContext => ({
  x_agent_id: xAgentId,
  modify_agent: modifyAgent,
  contact_number: remoteNumber,
  metadata: variables,
});

interface ActionSecretsDependencies {
  db: Db;
  settings: { secretsKeys: SecretsKeys };
}

/** Returns the agent's configuration for this call, with its secrets. */
function openedConfig(stored: StoredCallContext, secretsKeys: SecretsKeys): AgentConfig {
  const { organizationId, config, modifyAgent } = stored;
  const merged = mergedConfig(config, modifyAgent);
  const kept = withoutMisdirected(config, modifyAgent, merged);
  return new AgentSecrets({ secretsKeys, organizationId }).open(kept);
}

/** Masks the secret headers of actions. */
function withoutActionSecrets(config: AgentConfig): AgentConfig {
  const { persona } = config;
  if (!isJsonObject(persona)) return config;
  return { ...config, persona: changedAt(persona, headerPlaces(persona), () => SECRET_MASK) };
}

/** Returns the secret headers of one action that the agent is about to request. Each fetch counts towards the limit per call. */
export async function actionSecrets(
  { db, settings }: ActionSecretsDependencies,
  callId: string,
  action: string,
): Promise<Record<string, string>> {
  const stored = await storedCallContext(db, callId);
  if (stored === undefined) throw callNotFound();
  if (stored.isOver) throw callOver();
  const persona = valueAt(openedConfig(stored, settings.secretsKeys), 'persona');
  const places = headerPlaces(persona).filter(([, name]) => name === action);
  if (places.length === 0 || valueAt(persona, 'actions', action, 'enabled') === false) {
    const msg = "must be the name of one of the call's actions with secret headers";
    throw invalidInput([{ loc: ['body', 'action'], msg, type: 'any.only' }]);
  }
  const count = await countActionRequest(db, callId);
  switch (count) {
    case 'counted':
      return Object.fromEntries(places.map((place) => [place.at(-1) ?? '', textAt(persona, place)]));
    case 'over':
      throw callOver();
    case 'too many':
      throw actionLimit(MAX_ACTION_REQUESTS);
    default:
      return assertNever(count);
  }
}
