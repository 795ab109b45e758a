/** Finds, masks and encrypts the secrets in an agent's configuration. */
import { createHmac } from 'node:crypto';
import { SECTIONS, type SectionName, SECTION_NAMES, type AgentConfig } from '../../../domain/agent-config';
import type { Table } from '../../../domain/agent-config/rows';
import { isJsonObject, valueAt, type JsonObject } from '../../../domain/json';
import { SECRET_MASK } from '../../../domain/secret-mask';
import {
  isSealedWithCurrent,
  IV_BYTES,
  open,
  seal,
  type Lock,
  derivedKey,
  type SecretsKeys,
} from '../../../db/kernel/secrets-keys';
import { SEALED_TEXT } from '../../../db/organizations/sealed-rows';
import { deepMerge } from '../../../domain/effective-config';
import type { InputFault } from '../../http/errors/api-error';

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
  'contains the mask instead of a secret, but no secret is stored for this field; send the secret or leave out the field';

/** Masks the secrets of a section for a response. A mask that is sent back keeps the stored secret. */
export const masked = (name: SectionName, section: JsonObject): JsonObject =>
  changedAt(section, secretPlaces(name, section), () => SECRET_MASK);

/** Removes masks from a change, so that merging it keeps the stored secrets. */
export const withoutMasks = (name: SectionName, change: JsonObject): JsonObject =>
  changedAt(change, maskedPlaces(name, change), () => undefined);

/** Returns the places of a section that contain a mask instead of a secret. */
export const maskedPlaces = (name: SectionName, section: unknown): Place[] =>
  secretPlaces(name, section).filter((place) => textAt(section, place) === SECRET_MASK);

/** Encrypts and decrypts the secrets of one organization's agents. The rest of a configuration stays readable and mergeable. */
export class AgentSecrets {
  private readonly lock: Lock;
  private readonly ivKey: Buffer;

  constructor({ secretsKeys, organizationId }: { secretsKeys: SecretsKeys; organizationId: string }) {
    this.lock = { keys: secretsKeys, purpose: 'secrets of agents', subject: organizationId };
    this.ivKey = derivedKey(secretsKeys.current, 'ivs of secrets of agents');
  }

  /** Encrypts the secrets of a received configuration. It is deterministic, so resending a secret changes nothing. */
  seal(config: AgentConfig): AgentConfig {
    return everySection(config, (name, section) => this.sealSection(name, section));
  }

  sealSection(name: SectionName, section: JsonObject): JsonObject {
    return withSecrets(name, section, (text) => this.sealText(text));
  }

  /** Decrypts a stored configuration. Throws if a secret isn't encrypted or its key is missing. */
  open(config: AgentConfig): AgentConfig {
    return everySection(config, (name, section) => withSecrets(name, section, (text) => this.openText(text)));
  }

  /** Re-encrypts every secret with the current key. Returns null if all of them already use it. */
  resealed(config: AgentConfig): AgentConfig | null {
    let isChanged = false;
    const renewed = everySection(config, (name, section) =>
      withSecrets(name, section, (text) => {
        if (isSealedWithCurrent(sealedBytes(text), this.lock.keys)) return text;
        isChanged = true;
        return this.sealText(this.openText(text));
      }),
    );
    return isChanged ? renewed : null;
  }

  /** The IV is derived from the text and its organization, so different texts have different IVs. */
  private sealText(text: string): string {
    const { subject } = this.lock;
    const iv = createHmac('sha256', this.ivKey).update(`${subject} ${text}`).digest();
    return SEALED_TEXT + seal(text, this.lock, iv.subarray(0, IV_BYTES)).toString('base64url');
  }

  private openText(text: string): string {
    return open(sealedBytes(text), this.lock);
  }
}

function sealedBytes(text: string): Buffer {
  if (!text.startsWith(SEALED_TEXT)) throw new Error('an agent secret is stored unencrypted');
  return Buffer.from(text.slice(SEALED_TEXT.length), 'base64url');
}

function everySection(
  config: AgentConfig,
  become: (name: SectionName, section: JsonObject) => JsonObject,
): AgentConfig {
  const sections: JsonObject = { ...config };
  for (const name of SECTION_NAMES) {
    const section = sections[name];
    if (isJsonObject(section)) sections[name] = become(name, section);
  }
  return sections;
}

const withSecrets = (name: SectionName, section: JsonObject, become: (text: string) => string): JsonObject =>
  changedAt(section, secretPlaces(name, section), become);

export const OTHER_ORIGIN =
  'was stored for a different origin than the current `url`; send the secret again, or an empty string to remove it';

interface Merge {
  before: unknown;
  /** The change without masks. */
  change: unknown;
  merged: unknown;
}

/**
 * Returns the secrets that a merge would keep although the origin (scheme, host and port) of their URL has changed. Changing a URL must never
 * send a stored secret to another origin.
 */
export const misdirectedSecrets = (name: SectionName, { before, change, merged }: Merge): Place[] =>
  secretPlaces(name, merged)
    .filter((place) => textAt(change, place) === '')
    .filter((place) => {
      const origin = originAt(merged, place);
      return origin !== null && origin !== originAt(before, place);
    });

/** Returns faults if a dispatch would send the agent's secrets to another origin. */
export function misdirectedByDispatch(config: unknown, modifyAgent: AgentConfig): InputFault[] {
  const result = deepMerge(isJsonObject(config) ? config : {}, modifyAgent);
  if ('fault' in result) return [];
  return SECTION_NAMES.flatMap((name) =>
    misdirectedSecrets(name, mergeOf(name, config, modifyAgent, result.merged)).map((place) => ({
      loc: ['body', 'modify_agent', name, ...place],
      msg: OTHER_ORIGIN,
      type: 'token.other_origin',
    })),
  );
}

/** Removes secrets that would go to another origin, because the agent may have changed since the dispatch. */
export function withoutMisdirected(config: unknown, modifyAgent: unknown, merged: AgentConfig): AgentConfig {
  const kept: AgentConfig = { ...merged };
  for (const name of SECTION_NAMES) {
    const section = kept[name];
    if (!isJsonObject(section)) continue;
    const places = misdirectedSecrets(name, mergeOf(name, config, modifyAgent, merged));
    kept[name] = changedAt(section, places, () => undefined);
  }
  return kept;
}

const mergeOf = (name: SectionName, config: unknown, change: unknown, merged: unknown): Merge => ({
  before: valueAt(config, name),
  change: valueAt(change, name),
  merged: valueAt(merged, name),
});

const PLACEHOLDER = /\{\{[^{}]*\}\}/g;

/** Returns the origin that the secret is sent to; null without a URL. Variables are only allowed after the host. */
function originAt(section: unknown, place: Place): string | null {
  const holder = place[0] === 'actions' ? place.slice(0, 2) : place.slice(0, -1);
  const url = textAt(section, [...holder, 'url']).replace(PLACEHOLDER, 'x');
  return URL.canParse(url) ? new URL(url).origin : null;
}
