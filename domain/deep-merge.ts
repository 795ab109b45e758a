import { isJsonObject, type JsonObject } from './json';
import { describeJsonFault, jsonFaults } from './json-faults';

type MergeResult = { merged: JsonObject } | { fault: string };

/**
 * Merges objects key by key; arrays, scalars and `null` replace. Returns a fault if either input has a forbidden key or nests deeper than
 * 32 levels.
 */
export function deepMerge(stored: JsonObject, change: JsonObject): MergeResult {
  const fault = mergeFaultOf(stored) ?? mergeFaultOf(change);
  return fault === null ? { merged: mergeObjects(stored, change) } : { fault };
}

/** Returns the path of a key that could reach a prototype, or null if there is none. */
export function findForbiddenKey(value: unknown): (string | number)[] | null {
  return jsonFaults(value).find(({ kind }) => kind === 'forbidden_key')?.path ?? null;
}

/** Ignores text that Postgres cannot store, because it can still be merged. */
function mergeFaultOf(value: JsonObject): string | null {
  const fault = jsonFaults(value).find(({ kind }) => kind !== 'unstorable_text');
  if (fault === undefined) return null;
  if (fault.kind === 'forbidden_key') return `the key ${fault.path.join('.')} is not allowed`;
  return describeJsonFault(fault);
}

/** Recursion is safe, because both inputs are at most `MAX_JSON_DEPTH` levels deep. */
function mergeObjects(stored: JsonObject, change: JsonObject): JsonObject {
  const merged: JsonObject = { ...stored };
  for (const [key, value] of Object.entries(change)) {
    const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
    merged[key] = isJsonObject(before) && isJsonObject(value) ? mergeObjects(before, value) : value;
  }
  return merged;
}
