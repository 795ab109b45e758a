/** What a section may hold at most, from the same schemas that check it and that the document is made from. */
import { SECTION_NAMES, type SectionName } from '../../workflows/domain/agent-config';
import { isJsonObject, valueAt } from '../../workflows/domain/json';
import type { JsonLimits } from '../../workflows/domain/json-faults';
import type { Field } from '../schema/field';
import { MAXIMA, UNNAMED } from './maxima';
import { sectionSchemas } from './sections';

const limitsOf = (schema: Field<unknown>): JsonLimits => ({
  ...described(schema.describe()),
  inside: UNNAMED,
});

function described(description: unknown): JsonLimits {
  const keys = valueAt(description, 'keys');
  const items = valueAt(description, 'items');
  switch (valueAt(description, 'type')) {
    case 'string':
      return { text: longestText(description) };
    case 'array': {
      const [entry] = Array.isArray(items) ? (items as unknown[]) : [];
      const each = valueAt(entry, 'type') === 'any' ? {} : { each: described(entry) };
      return { entries: mostOf(description), ...each };
    }
    case 'object': {
      const known = isJsonObject(keys) ? Object.entries(keys) : [];
      const named = known.map(([key, value]) => [key, described(value)] as const);
      return { keys: mostOf(description), ...(named.length > 0 && { named: new Map(named) }) };
    }
    default:
      return UNNAMED;
  }
}

function mostOf(description: unknown): number {
  const rules = valueAt(description, 'rules');
  const rule = (Array.isArray(rules) ? (rules as unknown[]) : []).find(
    (one) => valueAt(one, 'name') === 'max',
  );
  const limit = valueAt(rule, 'args', 'limit');
  return typeof limit === 'number' ? limit : MAXIMA.entries;
}

/** Where the length is checked by code, the document has it. */
function longestText(description: unknown): number {
  const metas = valueAt(description, 'metas');
  const lengths = (Array.isArray(metas) ? (metas as unknown[]) : []).map((meta) =>
    valueAt(meta, 'jsonSchema', 'maxLength'),
  );
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
