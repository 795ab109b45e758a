import type { StoredBrief } from '../../../db/calls/brief';
import type { SecretsKeys } from '../../../db/kernel/secrets-keys';
import { hasCustomLlm, maxTalkSeconds, resolveConfig } from '../../../domain/agent-config';
import type { CallBrief } from '../../../domain/call-brief';
import type { CustomLlmBrief } from '../../../domain/custom-llm-messages';
import { spokenWith, templateVariables } from '../../../domain/effective-config';
import { AgentSecrets } from '../../agents/config/secrets/agent-secrets';
import { openedConfig, withoutActionSecrets } from './action-secrets';

/** Includes the token of a custom LLM but masks the secrets of actions, which the agent fetches for each request. */
export function presentBrief(
  stored: StoredBrief,
  { ringTimeoutS, secretsKeys }: { ringTimeoutS: number; secretsKeys: SecretsKeys },
): CallBrief {
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
    custom_llm: hasCustomLlm(config) ? customLlm({ ...stored, modifyAgent }) : null,
  };
}

const customLlm = ({ xAgentId, modifyAgent, remoteNumber, variables }: StoredBrief): CustomLlmBrief => ({
  x_agent_id: xAgentId,
  modify_agent: modifyAgent,
  contact_number: remoteNumber,
  metadata: variables,
});
