/**
 * What an agent's configuration holds that nobody needs to read again: answers show a mask for it, and a mask that is sent back stands
 * for what is stored.
 */
import type { SectionName } from '../../workflows/domain/agent-config';
import { isJsonObject, valueAt, type JsonObject } from '../../workflows/domain/json';

export const MASK = '********';

const LLM = ['senses_capabilities', 'brain', 'llm'];
/** From the section on. */
const SECRETS: readonly { section: SectionName; path: readonly string[] }[] = [
  { section: 'persona', path: [...LLM, 'primary', 'auth_token'] },
  { section: 'persona', path: [...LLM, 'fallback', 'auth_token'] },
];

const pathsIn = (name: SectionName): (readonly string[])[] =>
  SECRETS.filter(({ section }) => section === name).map(({ path }) => path);

/** As answers show the section. */
export function masked(name: SectionName, section: JsonObject): JsonObject {
  const set = pathsIn(name).filter((path) => {
    const secret = valueAt(section, ...path);
    return secret !== undefined && secret !== null && secret !== '';
  });
  return set.reduce((shown, path) => changedAt(shown, path, MASK), section);
}

/** A change without its masks: merged, it leaves what is stored. */
export function withoutMasks(name: SectionName, change: JsonObject): JsonObject {
  return maskedPaths(name, change).reduce((left, path) => changedAt(left, path, undefined), change);
}

/** Where a mask stands in place of a secret. */
export const maskedPaths = (name: SectionName, section: unknown): (readonly string[])[] =>
  pathsIn(name).filter((path) => valueAt(section, ...path) === MASK);

/** A copy with the value at the end of a path that is there; undefined takes the key away. */
function changedAt(object: JsonObject, [key = '', ...rest]: readonly string[], value: unknown): JsonObject {
  const { [key]: before, ...beside } = object;
  const after = rest.length > 0 && isJsonObject(before) ? changedAt(before, rest, value) : value;
  return after === undefined ? beside : { ...object, [key]: after };
}
