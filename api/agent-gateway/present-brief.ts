import type { StoredBrief } from '../../db/call-brief';
import { amdEnabled, hasCustomLlm, maxTalkSeconds } from '../../workflows/domain/agent-config';
import type { CallBrief, CustomLlmBrief } from '../../workflows/domain/call-brief';
import { effectiveConfig, spokenWith, templateVariables } from '../../workflows/domain/effective-config';

export function presentBrief(stored: StoredBrief, { ringTimeoutS }: { ringTimeoutS: number }): CallBrief {
  const config = spokenWith(effectiveConfig(stored.config, stored.modifyAgent), stored.voice);
  return {
    call_id: stored.callId,
    medium: stored.medium,
    direction: stored.direction,
    agent: { name: stored.agentName, config },
    variables: templateVariables(config, stored),
    session: stored.session,
    max_talk_s: maxTalkSeconds(config),
    ring_timeout_s: ringTimeoutS,
    amd: amdEnabled(config),
    custom_llm: hasCustomLlm(config) ? customLlm(stored) : null,
  };
}

const customLlm = ({ xAgentId, modifyAgent, contactNumber, variables }: StoredBrief): CustomLlmBrief => ({
  x_agent_id: xAgentId,
  modify_agent: modifyAgent,
  contact_number: contactNumber,
  metadata: variables,
});
