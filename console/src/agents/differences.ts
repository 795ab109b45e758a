/** Compares two configurations field by field. */

export interface Difference {
  /** Starts with the section. */
  path: string[];
  /** Display text; null if the field isn't set. */
  before: string | null;
  after: string | null;
}

/**
 * Lists the fields in the order of `before`, then those that only `after` has. Compares lists as a whole, because an update replaces the
 * whole list.
 */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [one, other] = [was.get(key)?.text ?? null, is.get(key)?.text ?? null];
    const path = (was.get(key) ?? is.get(key))?.path ?? [];
    return one === other ? [] : [{ path, before: one, after: other }];
  });
}

interface Field {
  path: string[];
  text: string;
}

/** Returns the fields, keyed by path. Skips null, because it means the default, just like a missing field. */
function fieldsOf(value: unknown, path: string[] = []): Map<string, Field> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object' || Array.isArray(value))
    return new Map([[JSON.stringify(path), { path, text: textOf(value) }]]);
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...fieldsOf(inner, [...path, name])]));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return isList ? value.join('\n') : JSON.stringify(value, null, 2);
}
