/** Finds and masks the secrets in an agent's configuration. */
import { SECTIONS, type SectionName } from '../../../../domain/agent-config';
import type { Table } from '../../../../domain/agent-config/rows';
import { isJsonObject, valueAt, type JsonObject } from '../../../../domain/json';
import { SECRET_MASK } from '../../../../domain/secret-mask';

/** Path of keys within the section. */
export type Place = readonly string[];

const tokensIn = (rows: Table): Place[] =>
  Object.entries(rows).flatMap(([key, row]): Place[] => {
    if (row.kind === 'group') return tokensIn(row.rows).map((place) => [key, ...place]);
    return row.kind === 'text' && row.form === 'token' ? [[key]] : [];
  });

const TOKENS = tokensIn(SECTIONS.persona.rows);

const SECRET_HEADER = /auth|cookie|credential|jwt|key|pass|pwd|secret|session|signature|token/i;
/** A value such as `Bearer {{api_token}}` contains only a variable, so there is nothing to hide. */
const NO_SECRET = /^(basic|bearer|token|apikey)?\s*(\{\{[^{}]*\}\}\s*)*$/i;

/** Returns the places of a section's secrets and of masked secrets. */
export function secretPlaces(name: SectionName, section: unknown): Place[] {
  if (name !== 'persona') return [];
  const tokens = TOKENS.filter((place) => textAt(section, place) !== '');
  return [...tokens, ...headerPlaces(section)];
}

/** Returns the secret headers of the requests that a persona's actions make. */
export function headerPlaces(section: unknown): Place[] {
  return keysAt(section, 'actions').flatMap((action) =>
    keysAt(section, 'actions', action, 'headers')
      .map((header) => ['actions', action, 'headers', header])
      .filter((place) => SECRET_HEADER.test(place.at(-1) ?? ''))
      .filter((place) => !NO_SECRET.test(textAt(section, place).trim())),
  );
}

function keysAt(section: unknown, ...path: string[]): string[] {
  const value = valueAt(section, ...path);
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** Returns the value at a place as text; empty if there is none. */
export function textAt(section: unknown, place: Place): string {
  const value = valueAt(section, ...place);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns a copy in which `become` has replaced the strings at the places. If it returns undefined, the key is removed. */
export function changedAt(
  section: JsonObject,
  places: readonly Place[],
  become: (text: string) => string | undefined,
): JsonObject {
  if (places.length === 0) return section;
  // Clone once instead of once per place.
  const changed = structuredClone(section);
  for (const place of places) {
    const holder = valueAt(changed, ...place.slice(0, -1));
    const key = place.at(-1) ?? '';
    if (!isJsonObject(holder)) continue;
    const text = become(textAt(changed, place));
    if (text === undefined) delete holder[key];
    else holder[key] = text;
  }
  return changed;
}

export const NO_SECRET_STORED =
  'is the mask that responses show in place of a secret, but no secret is stored here; send the secret or leave out the field';

/** Masks the secrets of a section for a response. A mask that is sent back keeps the stored secret. */
export const masked = (name: SectionName, section: JsonObject): JsonObject =>
  changedAt(section, secretPlaces(name, section), () => SECRET_MASK);

/** Removes masks from a change, so that merging it keeps the stored secrets. */
export const withoutMasks = (name: SectionName, change: JsonObject): JsonObject =>
  changedAt(change, maskedPlaces(name, change), () => undefined);

/** Returns the places of a section that contain a mask instead of a secret. */
export const maskedPlaces = (name: SectionName, section: unknown): Place[] =>
  secretPlaces(name, section).filter((place) => textAt(section, place) === SECRET_MASK);
