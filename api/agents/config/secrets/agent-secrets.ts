/** Encrypts the secrets of a configuration in place, so that the rest stays readable and mergeable. */
import { createHmac } from 'node:crypto';
import {
  isSealedWithCurrent,
  IV_BYTES,
  open,
  seal,
  type Lock,
  derivedKey,
  type SecretsKeys,
} from '../../../../db/kernel/secrets-keys';
import { SEALED_TEXT } from '../../../../db/organizations/sealed-rows';
import { SECTION_NAMES, type AgentConfig, type SectionName } from '../../../../domain/agent-config';
import { isJsonObject, type JsonObject } from '../../../../domain/json';
import { changedAt, secretPlaces } from './places';

/** Encrypts and decrypts the secrets of one organization's agents. */
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
