/** The keys that secrets are sealed with and signatures derive from: one, or two while one replaces the other. */
import { hkdfSync } from 'node:crypto';

/** 32 bytes each. */
export interface SecretsKeys {
  /** Seals and signs. */
  current: Buffer;
  /** Opens and verifies beside the current one; null where no rotation is under way. */
  previous: Buffer | null;
}

export const onlyKey = (current: Buffer): SecretsKeys => ({ current, previous: null });

/** As the settings name them. */
export const secretsKeysOf = (values: {
  SECRETS_KEY: Buffer;
  SECRETS_KEY_PREVIOUS?: Buffer;
}): SecretsKeys => ({
  current: values.SECRETS_KEY,
  previous: values.SECRETS_KEY_PREVIOUS ?? null,
});

/** The current one first. */
export const everyKey = ({ current, previous }: SecretsKeys): Buffer[] =>
  previous === null ? [current] : [current, previous];

/** A key of its own for each purpose, so that a signature made for one is worth nothing for another. */
export function derivedKey(secretsKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', `voice-agent-platform ${purpose}`, 32));
}

export const KEY_ID_BYTES = 4;

/** What sealed bytes name their key by. Of no use to find the key by. */
export const keyIdOf = (secretsKey: Buffer): Buffer =>
  derivedKey(secretsKey, 'key id').subarray(0, KEY_ID_BYTES);
