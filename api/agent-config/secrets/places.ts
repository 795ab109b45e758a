/** Where an agent's configuration holds what nobody needs to read again. */
import type { SectionName } from '../../../workflows/domain/agent-config';
import { isJsonObject, valueAt, type JsonObject } from '../../../workflows/domain/json';

/** From the section on, key by key. */
export type Place = readonly string[];

const LLM = ['senses_capabilities', 'brain', 'llm'];
const TOKENS: readonly Place[] = [
  [...LLM, 'primary', 'auth_token'],
  [...LLM, 'fallback', 'auth_token'],
];

const SECRET_HEADER = /auth|cookie|credential|key|passw|secret|signature|token/i;
/** With a variable in place of the secret, such as `Bearer {{api_token}}`, there is nothing to hide. */
const NO_SECRET = /^\s*(basic|bearer|token|apikey)?\s*(\{\{[^{}]*\}\}\s*)*$/i;

/** The secrets of a section, or the masks in their place. */
export function secretPlaces(name: SectionName, section: unknown): Place[] {
  if (name !== 'persona') return [];
  const tokens = TOKENS.filter((place) => isText(valueAt(section, ...place)));
  return [...tokens, ...headerPlaces(section)];
}

/** In the requests that an agent's actions make. */
function headerPlaces(section: unknown): Place[] {
  return keysAt(section, 'actions').flatMap((action) =>
    keysAt(section, 'actions', action, 'headers')
      .map((header) => ['actions', action, 'headers', header])
      .filter((place) => SECRET_HEADER.test(place.at(-1) ?? ''))
      .filter((place) => {
        const value = valueAt(section, ...place);
        return isText(value) && !NO_SECRET.test(value);
      }),
  );
}

function keysAt(section: unknown, ...path: string[]): string[] {
  const value = valueAt(section, ...path);
  return isJsonObject(value) ? Object.keys(value) : [];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The text at one of the places that were found. */
export const textAt = (section: unknown, place: Place): string => {
  const value = valueAt(section, ...place);
  return isText(value) ? value : '';
};

/** A copy with the value at the end of a path that is there; undefined takes the key away. */
export function changedAt(object: JsonObject, [key = '', ...rest]: Place, value: unknown): JsonObject {
  const { [key]: before, ...beside } = object;
  const after = rest.length > 0 && isJsonObject(before) ? changedAt(before, rest, value) : value;
  return after === undefined ? beside : { ...object, [key]: after };
}
