import { promptOf, type AgentConfig } from './agent-config';

/** `stopped` is what an archived agent is; the other two say whether it has anything to talk by. */
export const AGENT_STATUSES = ['initialized', 'running', 'stopped'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export function agentStatus(config: AgentConfig): Exclude<AgentStatus, 'stopped'> {
  return promptOf(config).trim() === '' ? 'initialized' : 'running';
}
