import { promptOf, type AgentConfig } from './agent-config';

/** `stopped` is what an archived agent is; the other two say whether it has anything to talk by. */
export type AgentStatus = 'initialized' | 'running' | 'stopped';

export function agentStatus(config: AgentConfig): Exclude<AgentStatus, 'stopped'> {
  return promptOf(config).trim() === '' ? 'initialized' : 'running';
}
