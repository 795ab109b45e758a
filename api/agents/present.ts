import type { Agent, ListedAgent } from '../../db/agents/agents';
import type { AgentBody, AgentWithConfigBody } from './resource';
import { masked } from './config/secrets/masked';
import { iso } from '../http/presenters/instant';

export function presentAgent(agent: ListedAgent): AgentBody {
  return {
    id: agent.id,
    agent_name: agent.agentName,
    display_name: agent.displayName,
    client_id: agent.organizationId,
    client_name: agent.organizationName,
    published: agent.published,
    published_at: iso(agent.publishedAt),
    last_edited_at: iso(agent.lastEditedAt),
    deployment_config: agent.deploymentConfig ?? {},
    status: agent.status,
    gsheet_config: agent.gsheetConfig,
    archived: agent.archived,
  };
}

/** Includes every section; unset ones are empty. */
export function presentAgentWithConfig(agent: Agent): AgentWithConfigBody {
  const { persona = {}, training = {}, experience = {}, analysis = {}, deployment = {} } = agent.config;
  return {
    ...presentAgent(agent),
    config: { persona: masked('persona', persona), training, experience, analysis, deployment },
  };
}
