import type { Agent } from '../../db/agents';
import { SECTION_NAMES } from '../../workflows/domain/agent-config';
import { iso } from './instant';

export function presentAgent(agent: Agent): object {
  return {
    id: agent.id,
    agent_name: agent.agentName,
    display_name: agent.displayName,
    client_id: agent.clientId,
    client_name: agent.clientName,
    published: agent.published,
    published_at: iso(agent.publishedAt),
    last_edited_at: iso(agent.lastEditedAt),
    deployment_config: agent.config.deployment ?? {},
    status: agent.status,
    gsheet_config: agent.gsheetConfig ?? null,
    archived: agent.archived,
  };
}

/** With every section, those that were never set as empty. */
export function presentAgentWithConfig(agent: Agent): object {
  const config = Object.fromEntries(SECTION_NAMES.map((name) => [name, agent.config[name] ?? {}]));
  return { ...presentAgent(agent), config };
}
