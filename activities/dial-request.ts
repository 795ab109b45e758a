import type { DialStart } from '../db/call-engine';
import {
  amdEnabled,
  greetingOf,
  maxTalkSeconds,
  metadataOf,
  outboundNumbers,
  promptOf,
  type AgentConfig,
} from '../workflows/domain/agent-config';
import { deepMerge } from '../workflows/domain/deep-merge';
import { isJsonObject } from '../workflows/domain/json';
import type { DialRequest } from './telephony/port';

/** What the carrier is asked for, as the agent's version and the call's own changes say. */
export function dialRequest(
  reference: string,
  start: Extract<DialStart, { kind: 'ask' }>,
  ringTimeoutS: number,
): DialRequest {
  const config = effectiveConfig(start.config, start.modifyAgent);
  const numbers = outboundNumbers(config);
  return {
    reference,
    to: start.to,
    // A redial comes from the next of the agent's numbers: the one before may be what was not answered.
    from: start.from ?? numbers[(start.attempt - 1) % Math.max(1, numbers.length)] ?? null,
    notAfter: new Date(start.notAfter),
    ringTimeoutS,
    maxTalkS: maxTalkSeconds(config),
    amd: amdEnabled(config),
    agent: { name: start.agentName, greeting: greetingOf(config), prompt: promptOf(config) },
    variables: { ...metadataOf(config), ...start.variables, name: start.name },
  };
}

/** The agent as this call runs it: its stored version with the call's own changes over it. */
export function effectiveConfig(stored: unknown, modifyAgent: Record<string, unknown> | null): AgentConfig {
  const config = isJsonObject(stored) ? stored : {};
  if (modifyAgent === null || !isJsonObject(modifyAgent)) return config;
  const result = deepMerge(config, modifyAgent);
  return 'merged' in result ? result.merged : config;
}
