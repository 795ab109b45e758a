/** The configuration schema for the OpenAPI document. `validate.ts` checks the same rules section by section with better messages. */
import { nullable, object, optional } from '../../http/schema/field';
import { sectionSchemas } from './sections';

const { persona, training, experience, analysis, deployment } = sectionSchemas;

export const agentConfig = object(
  {
    persona: optional(nullable(persona)),
    training: optional(nullable(training)),
    experience: optional(nullable(experience)),
    analysis: optional(nullable(analysis)),
    deployment: optional(nullable(deployment)),
  },
  { name: 'AgentConfig', description: 'Sections of the configuration, all optional' },
);

export const modifyAgent = object(
  {
    persona: optional(nullable(persona)),
    training: optional(nullable(training)),
    experience: optional(nullable(experience)),
    analysis: optional(nullable(analysis)),
  },
  { name: 'ModifyAgent', description: 'Merged over the stored configuration for this call only' },
);
