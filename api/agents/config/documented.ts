/** A configuration as the document shows it. The checks of `validate.ts` say the same section by section, and name faults better. */
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
  { name: 'AgentConfig', description: 'Any of the sections' },
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
