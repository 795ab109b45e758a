/** What a section may hold at most, from the same schemas that check it and that the document is made from. */
import type Joi from 'joi';
import { SECTION_NAMES, type SectionName } from '../../workflows/domain/agent-config';
import { valueAt } from '../../workflows/domain/json';
import type { JsonLimits } from '../../workflows/domain/json-faults';
import type { Field } from '../schema/field';
import { MAXIMA, UNNAMED } from './maxima';
import { sectionSchemas } from './sections';

const limitsOf = (schema: Field<unknown>): JsonLimits => ({ ...limitsInside(schema), inside: UNNAMED });

/** By joi's interface for extensions, as `describe()` checks each level of what it returns: that took 0.1 s of the API's start. */
function limitsInside(schema: Joi.Schema): JsonLimits {
  switch (schema.type) {
    case 'string':
      return { text: longestText(schema) };
    case 'array': {
      const [entry] = termsOf<Joi.Schema>(schema, 'items');
      const each = entry === undefined || entry.type === 'any' ? {} : { each: limitsInside(entry) };
      return { entries: mostOf(schema), ...each };
    }
    case 'object': {
      const known = termsOf<{ key: string; schema: Joi.Schema }>(schema, 'keys');
      const named = known.map((field) => [field.key, limitsInside(field.schema)] as const);
      return { keys: mostOf(schema), ...(named.length > 0 && { named: new Map(named) }) };
    }
    default:
      return UNNAMED;
  }
}

const termsOf = <T>(schema: Joi.Schema, term: 'items' | 'keys' | 'metas'): readonly T[] =>
  (schema.$_terms[term] as readonly T[] | null | undefined) ?? [];

function mostOf(schema: Joi.Schema): number {
  const limit: unknown = schema.$_getRule('max')?.args?.limit;
  return typeof limit === 'number' ? limit : MAXIMA.entries;
}

/** Where the length is checked by code, the document has it. */
function longestText(schema: Joi.Schema): number {
  const lengths = termsOf<unknown>(schema, 'metas').map((meta) => valueAt(meta, 'jsonSchema', 'maxLength'));
  return lengths.find((length) => typeof length === 'number') ?? MAXIMA.text;
}

/** By section; as it stands in a request, deployment also below its wrapping key. */
export const SECTION_LIMITS: Readonly<Record<SectionName, JsonLimits>> = sectionLimits();

function sectionLimits(): Record<SectionName, JsonLimits> {
  const entries = SECTION_NAMES.map((name) => [name, limitsOf(sectionSchemas[name])]);
  const limits = Object.fromEntries(entries) as Record<SectionName, JsonLimits>;
  const { deployment } = limits;
  const named = new Map([...(deployment.named ?? []), ['deployment', deployment] as const]);
  return { ...limits, deployment: { ...deployment, named } };
}
