import { isJsonObject } from './json';

export const MAX_JSON_DEPTH = 32;

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A NUL or half of a surrogate pair: JSON can carry them, Postgres cannot store them. */
const UNSTORABLE_TEXT = /\0|\p{Surrogate}/u;

export type JsonFault = {
  kind: 'forbidden_key' | 'too_deep' | 'unstorable_text';
  path: (string | number)[];
};

type Trail = { parent: Trail | null; step: string | number; depth: number } | null;

/** True for the names that would reach an object's prototype when used as a key. */
export function isForbiddenKey(name: string): boolean {
  return FORBIDDEN_KEYS.has(name);
}

/**
 * Everything in parsed JSON that must not be merged or stored. Objects and arrays may nest `MAX_JSON_DEPTH`
 * levels, what lies deeper is not looked at; the walk keeps its own stack, so no depth overflows the real one.
 */
export function* jsonFaults(root: unknown): Generator<JsonFault> {
  const waiting: { value: unknown; trail: Trail }[] = [{ value: root, trail: null }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, trail } = next;
    if (typeof value === 'string' && UNSTORABLE_TEXT.test(value)) {
      yield { kind: 'unstorable_text', path: pathOf(trail) };
    }
    if (typeof value !== 'object' || value === null) continue;
    const depth = (trail?.depth ?? 0) + 1;
    if (depth > MAX_JSON_DEPTH) {
      yield { kind: 'too_deep', path: pathOf(trail) };
      continue;
    }
    for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      const child: Trail = { parent: trail, step, depth };
      if (typeof step === 'string' && isForbiddenKey(step)) {
        yield { kind: 'forbidden_key', path: pathOf(child) };
      } else if (typeof step === 'string' && UNSTORABLE_TEXT.test(step)) {
        yield { kind: 'unstorable_text', path: pathOf(trail) };
      }
      waiting.push({ value: childOf(value, step), trail: child });
    }
  }
}

function childOf(value: object, step: string | number): unknown {
  if (Array.isArray(value)) return value[Number(step)];
  return isJsonObject(value) ? value[step] : undefined;
}

function pathOf(trail: Trail): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = trail; at !== null; at = at.parent) path.unshift(at.step);
  return path;
}

/** What a client is told of a fault; the place is told apart. */
export function describeJsonFault(kind: JsonFault['kind']): string {
  switch (kind) {
    case 'forbidden_key':
      return 'is not allowed as a key';
    case 'too_deep':
      return `nesting is limited to ${MAX_JSON_DEPTH} levels`;
    case 'unstorable_text':
      return 'contains characters that cannot be stored';
  }
}
