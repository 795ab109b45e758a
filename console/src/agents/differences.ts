/** Compares two configurations field by field. */

export interface Difference {
  /** Starts with the section. */
  path: string[];
  /** Display text; null if the field isn't set. */
  before: string | null;
  after: string | null;
}

/**
 * Lists changed fields in the order of `before`, followed by fields that only `after` has. Compares each list as a whole, because an update
 * replaces the whole list.
 */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [oldFields, newFields] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...oldFields.keys(), ...newFields.keys()])].flatMap((key) => {
    const [oldField, newField] = [oldFields.get(key), newFields.get(key)];
    const [oldText, newText] = [oldField?.text ?? null, newField?.text ?? null];
    const path = (oldField ?? newField)?.path ?? [];
    return oldText === newText ? [] : [{ path, before: oldText, after: newText }];
  });
}

interface Field {
  path: string[];
  text: string;
}

/** Returns the fields, keyed by path. Skips null because, like a missing field, it means the default. */
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
