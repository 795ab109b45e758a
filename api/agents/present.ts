/** Response schemas of an agent and their presenters. */
import type { Agent, ListedAgent } from '../../db/agents/agents';
import { AGENT_STATUSES } from '../../domain/agent-status';
import { iso } from '../http/responses';
import { constant, flag, freeObject, id, oneOf, text, timestamp } from '../http/schema/kinds';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { masked } from './config/secrets';

const FIELDS = {
  id: about(id(), 'Identifier of the agent, used as agent_id elsewhere'),
  agent_name: about(text(), 'Slug, unique within the organization', 'check-up-reminder'),
  display_name: about(text(), 'Human-readable name', 'Check-up reminder'),
  client_id: about(id(), 'Owning organization'),
  client_name: about(text(), 'Name of the organization'),
  published: about(flag(), 'Published for active use'),
  published_at: about(nullable(timestamp()), 'Time of publication'),
  last_edited_at: about(timestamp(), 'Time of the last change to its configuration'),
  deployment_config: about(freeObject(), 'Stored deployment section'),
  status: about(
    oneOf(...AGENT_STATUSES),
    'initialized until the agent has a system prompt, then running. stopped when archived',
  ),
  gsheet_config: about(nullable(freeObject()), 'Reserved'),
  archived: about(flag(), 'True if the agent is archived'),
};

export const agent = object(FIELDS, { name: 'Agent', description: 'A configurable voice agent' });
type AgentBody = ValueOf<typeof agent>;

export const agents = list(agent);

export const agentWithConfig = object(
  {
    ...FIELDS,
    config: about(
      object(
        {
          persona: freeObject(),
          training: freeObject(),
          experience: freeObject(),
          analysis: freeObject(),
          deployment: freeObject(),
        },
        { name: 'StoredAgentConfig' },
      ),
      'All sections as stored. Unset ones are empty',
    ),
  },
  { name: 'AgentWithConfig', description: 'An agent and its configuration' },
);
type AgentWithConfigBody = ValueOf<typeof agentWithConfig>;

export const createdAgent = object(
  {
    success: constant(true),
    agent_id: about(id(), 'Identifier of the new agent'),
    agent_name: about(text(), 'Display name'),
    client_id: about(id(), 'Owning organization'),
  },
  { name: 'CreatedAgent' },
);

export const sectionUpdated = object(
  {
    success: constant(true),
    message: about(text(), 'Names the updated section', 'Persona section updated successfully'),
  },
  { name: 'SectionUpdated' },
);

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
