import type { DialIntent } from '../db/call-engine';
import {
  amdEnabled,
  greetingOf,
  maxTalkSeconds,
  promptOf,
  type AgentConfig,
} from '../workflows/domain/agent-config';
import { templateVariables } from '../workflows/domain/effective-config';
import type { DialRequest } from './telephony/port';

/** What the carrier is asked for, as the agent runs this call. */
export function dialRequest(
  reference: string,
  start: Extract<DialIntent, { medium: 'telephony' }>,
  { config, from, ringTimeoutS }: { config: AgentConfig; from: string | null; ringTimeoutS: number },
): DialRequest {
  return {
    reference,
    to: start.to,
    from,
    notAfter: new Date(start.notAfter),
    ringTimeoutS,
    maxTalkS: maxTalkSeconds(config),
    amd: amdEnabled(config),
    agent: { name: start.agentName, greeting: greetingOf(config), prompt: promptOf(config) },
    variables: templateVariables(config, start),
  };
}
