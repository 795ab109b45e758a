import { randomBytes } from 'node:crypto';
import { hasCustomLlm, maxTalkSeconds, resolveConfig } from '../../domain/agent-config';
import { templateVariables } from '../../domain/effective-config';
import type { JsonObject } from '../../domain/json';
import type { CallContext } from '../platform/call-context';
import type { LoadedAgent } from './loaded-agent';

/**
 * Builds the call context that a call of this agent would have. `variables` are those of a contact or a dispatch, including the person's
 * `name`.
 */
export function textCallContext({ name, config: stored }: LoadedAgent, variables: JsonObject): CallContext {
  const config = resolveConfig(stored);
  return {
    callId: `text-${randomBytes(8).toString('hex')}`,
    medium: 'webrtc',
    direction: 'Outbound',
    agent: { name, config },
    variables: templateVariables(config, { variables, name: null }),
    session: null,
    maxTalkMs: maxTalkSeconds(config) * 1000,
    ringTimeoutMs: 0,
    amd: false,
    customLlm: hasCustomLlm(config)
      ? { x_agent_id: null, modify_agent: null, contact_number: null, metadata: variables }
      : null,
  };
}
