/** What differs between two configurations, field by field. */

export interface Difference {
  /** From the section on. */
  path: string[];
  /** As text for a person; null where it is not set. */
  before: string | null;
  after: string | null;
}

/** In the order of `before`, then what only `after` has. Lists are one field each, as a change replaces them. */
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

/** By a key that no two paths share. Nothing and null are the same: both stand for the default. */
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
