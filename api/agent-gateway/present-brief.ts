import type { StoredBrief } from '../../db/call-brief';
import { amdEnabled, maxTalkSeconds } from '../../workflows/domain/agent-config';
import type { CallBrief } from '../../workflows/domain/call-brief';
import { effectiveConfig, templateVariables } from '../../workflows/domain/effective-config';

export function presentBrief(stored: StoredBrief, { ringTimeoutS }: { ringTimeoutS: number }): CallBrief {
  const config = effectiveConfig(stored.config, stored.modifyAgent);
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
  };
}
