import { resolveSection, SECTIONS, type AgentConfig } from './agent-config';

/** An archived agent is `stopped`. Any other is `running` if it has a system prompt, otherwise `initialized`. */
export const AGENT_STATUSES = ['initialized', 'running', 'stopped'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export function agentStatus({ persona }: AgentConfig): Exclude<AgentStatus, 'stopped'> {
  return resolveSection(SECTIONS.persona, persona).identity.system_prompt === '' ? 'initialized' : 'running';
}
