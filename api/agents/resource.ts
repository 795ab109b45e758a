import { AGENT_STATUSES } from '../../domain/agent-status';
import { SECTION_NAMES } from '../../domain/agent-config';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { constant, flag, freeObject, id, integer, oneOf, text, timestamp } from '../http/schema/kinds';

const FIELDS = {
  id: about(id(), 'Identifier, used as agent_id elsewhere'),
  agent_name: about(text(), 'Internal slug, unique within the client', 'check-up-reminder'),
  display_name: about(text(), 'Human-readable name', 'Check-up reminder'),
  client_id: about(id(), 'Owning organization'),
  client_name: about(text(), 'Name of the organization'),
  published: about(flag(), 'Published for active use'),
  published_at: about(nullable(timestamp()), 'When it was published'),
  last_edited_at: about(timestamp(), 'When its configuration last changed'),
  deployment_config: about(freeObject(), 'The deployment section as stored'),
  status: about(
    oneOf(...AGENT_STATUSES),
    'initialized until the agent has a system prompt, then running; stopped when archived',
  ),
  gsheet_config: about(nullable(freeObject()), 'Reserved'),
  archived: about(flag(), 'Whether it was archived'),
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
      'Every section as stored; those never set are empty',
    ),
  },
  { name: 'AgentWithConfig', description: 'An agent and its configuration' },
);
export type AgentWithConfigBody = ValueOf<typeof agentWithConfig>;

export const createdAgent = object(
  {
    success: constant(true),
    agent_id: about(id(), 'Identifier of the new agent'),
    agent_name: about(text(), 'The display name'),
    client_id: about(id(), 'Owning organization'),
  },
  { name: 'CreatedAgent' },
);

export const sectionUpdated = object(
  {
    success: constant(true),
    message: about(text(), 'Which section was updated', 'Persona section updated successfully'),
  },
  { name: 'SectionUpdated' },
);

/** Of Postgres' integer. */
export const MOST_VERSION = 2_147_483_647;

export const agentVersion = object(
  {
    version: about(integer(1), 'Its number; a change has the next'),
    created_at: about(timestamp(), 'When the change was made'),
    current: about(flag(), 'Whether new calls run with it'),
    used: about(flag(), 'Whether a call was made with it'),
    changed: about(
      list(oneOf(...SECTION_NAMES)),
      'The sections that differ from the version before it; of the first those that it sets',
    ),
  },
  { name: 'AgentVersion' },
);
export type AgentVersionBody = ValueOf<typeof agentVersion>;

export const versionRestored = object(
  { success: constant(true), version: about(integer(1), 'The current version from now on') },
  { name: 'VersionRestored' },
);
