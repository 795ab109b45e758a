import { AGENT_STATUSES } from '../../domain/agent-status';
import { SECTION_NAMES } from '../../domain/agent-config';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { constant, flag, freeObject, id, integer, oneOf, text, timestamp } from '../http/schema/kinds';

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
export type AgentBody = ValueOf<typeof agent>;

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
export type AgentWithConfigBody = ValueOf<typeof agentWithConfig>;

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

/** Maximum of a Postgres integer. */
export const MOST_VERSION = 2_147_483_647;

export const agentVersion = object(
  {
    version: about(integer(1), 'Number of the version. Each change increments it'),
    created_at: about(timestamp(), 'Time of the change'),
    current: about(flag(), 'True if new calls use this version'),
    used: about(flag(), 'True if any call used this version'),
    changed: about(
      list(oneOf(...SECTION_NAMES)),
      'Sections that differ from the previous version. For the first version, the sections that it sets',
    ),
  },
  { name: 'AgentVersion' },
);
export type AgentVersionBody = ValueOf<typeof agentVersion>;

export const versionRestored = object(
  { success: constant(true), version: about(integer(1), 'Number of the new current version') },
  { name: 'VersionRestored' },
);
