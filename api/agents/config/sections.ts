import { SECTIONS } from '../../../domain/agent-config';
import { schemaOf } from '../../http/schema-of-table';

export const sectionSchemas = {
  persona: schemaOf(SECTIONS.persona),
  training: schemaOf(SECTIONS.training),
  experience: schemaOf(SECTIONS.experience),
  analysis: schemaOf(SECTIONS.analysis),
  deployment: schemaOf(SECTIONS.deployment),
};
