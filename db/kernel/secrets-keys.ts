/** Keys for sealing secrets and for signatures: one, or two during a rotation. */
import { hkdfSync } from 'node:crypto';

/** Each key has 32 bytes. */
export interface SecretsKeys {
  /** Used to seal and sign. */
  current: Buffer;
  /** Also accepted to open and verify; null outside a rotation. */
  previous: Buffer | null;
}

export const onlyKey = (current: Buffer): SecretsKeys => ({ current, previous: null });

/** Returns the current key first. */
export const everyKey = ({ current, previous }: SecretsKeys): Buffer[] =>
  previous === null ? [current] : [current, previous];

/** Derives a separate key for each purpose, so that a signature for one isn't valid for another. */
export function derivedKey(secretsKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', `voice-agent-platform ${purpose}`, 32));
}

export const KEY_ID_BYTES = 4;

/** Identifies a key in sealed bytes without revealing anything about it. */
export const keyIdOf = (secretsKey: Buffer): Buffer =>
  derivedKey(secretsKey, 'key id').subarray(0, KEY_ID_BYTES);
