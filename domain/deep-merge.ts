import { isJsonObject, type JsonObject } from './json';
import { describeJsonFault, jsonFaults } from './json-faults';

export type MergeResult = { merged: JsonObject } | { fault: string };

/**
 * Objects merge key by key; arrays, scalars and `null` replace. Neither input is changed, and the result
 * shares with them what it did not have to rebuild. A forbidden key or nesting deeper than 32 levels, in
 * either input, is a fault: nothing is merged then.
 */
export function deepMerge(stored: JsonObject, change: JsonObject): MergeResult {
  const fault = mergeFaultOf(stored) ?? mergeFaultOf(change);
  return fault === null ? { merged: mergeObjects(stored, change) } : { fault };
}

/** Where a key that could reach a prototype stands, at any depth up to 32; null when there is none. */
export function findForbiddenKey(value: unknown): (string | number)[] | null {
  return jsonFaults(value).find(({ kind }) => kind === 'forbidden_key')?.path ?? null;
}

/** Text that cannot be stored can be merged. */
function mergeFaultOf(value: JsonObject): string | null {
  const fault = jsonFaults(value).find(({ kind }) => kind !== 'unstorable_text');
  if (fault === undefined) return null;
  if (fault.kind === 'forbidden_key') return `the key ${fault.path.join('.')} is not allowed`;
  return describeJsonFault(fault);
}

/** Recursion is safe: both inputs are known to be at most `MAX_JSON_DEPTH` deep. */
function mergeObjects(stored: JsonObject, change: JsonObject): JsonObject {
  const merged: JsonObject = { ...stored };
  for (const [key, value] of Object.entries(change)) {
    const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
    merged[key] = isJsonObject(before) && isJsonObject(value) ? mergeObjects(before, value) : value;
  }
  return merged;
}
