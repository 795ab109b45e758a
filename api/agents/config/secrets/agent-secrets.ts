/** Secrets of a configuration are encrypted at rest, each in its place, so that the rest stays readable and mergeable. */
import { createHmac } from 'node:crypto';
import { SEALED_TEXT } from '../../../../db/clients/sealed-rows';
import { IV_BYTES, isSealedWithCurrent, open, seal, type Lock } from '../../../../db/kernel/sealed-bytes';
import { derivedKey, type SecretsKeys } from '../../../../db/kernel/secrets-keys';
import { SECTION_NAMES, type AgentConfig, type SectionName } from '../../../../domain/agent-config';
import { isJsonObject, type JsonObject } from '../../../../domain/json';
import { changedAt, secretPlaces } from './places';

/** Those of one client's agents. */
export class AgentSecrets {
  private readonly lock: Lock;
  private readonly ivKey: Buffer;

  constructor({ secretsKeys, clientId }: { secretsKeys: SecretsKeys; clientId: string }) {
    this.lock = { keys: secretsKeys, purpose: 'secrets of agents', subject: clientId };
    this.ivKey = derivedKey(secretsKeys.current, 'ivs of secrets of agents');
  }

  /** Of a configuration as it was sent. The same secret is sealed the same, so that one that is sent again changes nothing. */
  seal(config: AgentConfig): AgentConfig {
    return everySection(config, (name, section) => this.sealSection(name, section));
  }

  sealSection(name: SectionName, section: JsonObject): JsonObject {
    return withSecrets(name, section, (text) => this.sealText(text));
  }

  /** Of a configuration as it is stored. Fails when the key is not the one that it was sealed with, and for a secret that was not sealed. */
  open(config: AgentConfig): AgentConfig {
    return everySection(config, (name, section) => withSecrets(name, section, (text) => this.openText(text)));
  }

  /** The same configuration with every secret sealed with the current key; null where each is already. */
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

  /** The iv follows from the text and its owner: two texts have two. */
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
  if (!text.startsWith(SEALED_TEXT)) throw new Error('a secret of an agent is stored unsealed');
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
