export const MAX_JSON_DEPTH = 32;

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export type JsonFault = {
  kind:
    'forbidden_key' | 'too_deep' | 'unstorable_text' | 'key.max' | 'string.max' | 'array.max' | 'object.max';
  path: (string | number)[];
  /** The exceeded limit, for fault kinds that have one. */
  limit?: number;
};

/** Size limits of a value. A missing limit means unlimited. */
export interface JsonLimits {
  /** Maximum characters of a string. */
  text?: number;
  /** Maximum characters of each key of an object. */
  key?: number;
  /** Maximum entries of a list. */
  entries?: number;
  /** Maximum keys of an object. */
  keys?: number;
  /** Limits for nested values that neither `named` nor `each` covers. */
  inside?: JsonLimits;
  /** Limits for the values under these keys. */
  named?: ReadonlyMap<string, JsonLimits>;
  /** Limits for each entry of a list. */
  each?: JsonLimits;
}

interface JsonFaultOptions {
  limits?: JsonLimits;
  /** Stops after this many faults. By default, finds all of them. */
  max?: number;
}

/** Returns whether the name would reach an object's prototype if it were used as a key. */
export function isForbiddenKey(name: string): boolean {
  return FORBIDDEN_KEYS.has(name);
}

/** Counts characters as people do, because `length` counts an emoji as two. Splits the string only if it may be too long. */
export const isLonger = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max);

/**
 * Finds everything in parsed JSON that must not be merged or stored. Doesn't descend below `MAX_JSON_DEPTH` or into oversized lists and
 * objects.
 */
export function jsonFaults(
  root: unknown,
  { limits = {}, max = Infinity }: JsonFaultOptions = {},
): JsonFault[] {
  const walk: Walk = { faults: [], path: [], max };
  visit(walk, root, limits, limits.inside);
  return walk.faults;
}

interface Walk {
  readonly faults: JsonFault[];
  readonly path: (string | number)[];
  readonly max: number;
}

function add({ faults, path }: Walk, kind: JsonFault['kind'], limit?: number): void {
  faults.push({ kind, path: [...path], ...(limit === undefined ? {} : { limit }) });
}

/** Recursion is safe, because it stops at `MAX_JSON_DEPTH`. */
function visit(walk: Walk, value: unknown, limits: JsonLimits, inherited: JsonLimits | undefined): void {
  if (typeof value === 'string') checkText(walk, value, limits);
  if (typeof value !== 'object' || value === null) return;
  const inside = limits.inside ?? inherited;
  if (walk.path.length >= MAX_JSON_DEPTH) add(walk, 'too_deep');
  else if (Array.isArray(value)) visitEntries(walk, value, limits, inside);
  else checkKeys(walk, value, limits, inside);
}

function checkText(walk: Walk, text: string, { text: max = Infinity }: JsonLimits): void {
  if (!isStorable(text)) add(walk, 'unstorable_text');
  else if (isLonger(text, max)) add(walk, 'string.max', max);
}

function visitEntries(
  walk: Walk,
  list: readonly unknown[],
  { entries = Infinity, each }: JsonLimits,
  inside: JsonLimits | undefined,
): void {
  if (list.length > entries) {
    add(walk, 'array.max', entries);
    return;
  }
  for (const [index, entry] of list.entries()) {
    if (walk.faults.length >= walk.max) return;
    walk.path.push(index);
    visit(walk, entry, each ?? inside ?? {}, inside);
    walk.path.pop();
  }
}

function checkKeys(
  walk: Walk,
  value: object,
  { keys: max = Infinity, key: longest = Infinity, named }: JsonLimits,
  inside: JsonLimits | undefined,
): void {
  const fields: [string, unknown][] = Object.entries(value);
  if (fields.length > max) {
    add(walk, 'object.max', max);
    return;
  }
  const longestKey = Math.min(longest, inside?.key ?? Infinity);
  for (const [key, field] of fields) {
    if (walk.faults.length >= walk.max) return;
    if (isLonger(key, longestKey)) {
      // Leave the key out of the path, because it is too long.
      add(walk, 'key.max', longestKey);
      continue;
    }
    if (!isStorable(key)) add(walk, 'unstorable_text');
    walk.path.push(key);
    if (isForbiddenKey(key)) add(walk, 'forbidden_key');
    visit(walk, field, named?.get(key) ?? inside ?? {}, inside);
    walk.path.pop();
  }
}

/** NUL and unpaired surrogates, which JSON allows but Postgres cannot store. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** Describes a fault to API clients, who get its path separately. */
export function describeJsonFault({ kind, limit }: Pick<JsonFault, 'kind' | 'limit'>): string {
  switch (kind) {
    case 'forbidden_key':
      return 'is not allowed as a key';
    case 'too_deep':
      return `must be nested at most ${MAX_JSON_DEPTH} levels deep`;
    case 'unstorable_text':
      return 'contains a NUL character or an unpaired surrogate, which cannot be stored';
    case 'key.max':
      return `has a key longer than ${limit} characters`;
    case 'string.max':
      return `must be at most ${limit} characters long`;
    case 'array.max':
      return `must have at most ${limit} entries`;
    case 'object.max':
      return `must have at most ${limit} keys`;
  }
}
