import type { SectionName } from '../../workflows/domain/agent-config';
import type { Field } from '../schema/field';
import { analysisSchema } from './analysis';
import { deploymentSchema } from './deployment';
import { experienceSchema } from './experience';
import { personaSchema } from './persona';
import { trainingSchema } from './training';

export const sectionSchemas = {
  persona: personaSchema,
  training: trainingSchema,
  experience: experienceSchema,
  analysis: analysisSchema,
  deployment: deploymentSchema,
} satisfies Record<SectionName, Field<unknown>>;
