import { resolveSection, SECTIONS, type AgentConfig } from './agent-config';

/** `stopped` is what an archived agent is; the other two say whether it has anything to talk by. */
export const AGENT_STATUSES = ['initialized', 'running', 'stopped'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export function agentStatus({ persona }: AgentConfig): Exclude<AgentStatus, 'stopped'> {
  return resolveSection(SECTIONS.persona, persona).identity.system_prompt === '' ? 'initialized' : 'running';
}
