import type { Field } from '../schema/field';
import { isJsonObject, type JsonObject } from '../../workflows/domain/json';

/**
 * The dotted paths of what a change names, as far as the section's schema does. A key of the client's own (a question of the FAQ, the
 * name of a variable) may be personal and is left out: the path ends at the field that holds it.
 */
export function namedFields(section: string, schema: Field<unknown>, change: JsonObject): string[] {
  return [...new Set(pathsOf(section, schema.describe(), change))];
}

function pathsOf(path: string, description: unknown, value: unknown): string[] {
  const known = isJsonObject(description) && isJsonObject(description.keys) ? description.keys : {};
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    Object.hasOwn(known, key) ? pathsOf(`${path}.${key}`, known[key], inner) : [path],
  );
}
