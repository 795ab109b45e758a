import { SECTIONS } from '../../../domain/agent-config';
import { schemaOf } from '../../http/schema-of-table';
import { nullable, object, optional } from '../../http/schema/field';

export const sectionSchemas = {
  persona: schemaOf(SECTIONS.persona),
  training: schemaOf(SECTIONS.training),
  experience: schemaOf(SECTIONS.experience),
  analysis: schemaOf(SECTIONS.analysis),
  deployment: schemaOf(SECTIONS.deployment),
};

const { persona, training, experience, analysis, deployment } = sectionSchemas;

const MODIFIABLE = {
  persona: optional(nullable(persona)),
  training: optional(nullable(training)),
  experience: optional(nullable(experience)),
  analysis: optional(nullable(analysis)),
};

/** For the OpenAPI document. `validate.ts` checks the same rules section by section with better messages. */
export const agentConfig = object(
  { ...MODIFIABLE, deployment: optional(nullable(deployment)) },
  { name: 'AgentConfig', description: 'Sections of the configuration, all optional' },
);

/** Like `agentConfig`, for a dispatch. */
export const modifyAgent = object(MODIFIABLE, {
  name: 'ModifyAgent',
  description: 'Merged over the stored configuration for this call only',
});
