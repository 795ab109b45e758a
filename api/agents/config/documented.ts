/** A configuration as the document shows it. The checks of `validate.ts` say the same section by section, and name faults better. */
import { object, optional } from '../../http/schema/field';
import { sectionSchemas } from './sections';

const { persona, training, experience, analysis, deployment } = sectionSchemas;

export const agentConfig = object(
  {
    persona: optional(persona),
    training: optional(training),
    experience: optional(experience),
    analysis: optional(analysis),
    deployment: optional(deployment),
  },
  { name: 'AgentConfig', description: 'Any of the sections' },
);

export const modifyAgent = object(
  {
    persona: optional(persona),
    training: optional(training),
    experience: optional(experience),
    analysis: optional(analysis),
  },
  { name: 'ModifyAgent', description: 'Merged over the stored configuration for this call only' },
);
