/** Encryption at rest with AES-256-GCM. Sealed bytes are key id, IV, tag and ciphertext. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKey, everyKey, KEY_ID_BYTES, keyIdOf, type SecretsKeys } from './secrets-keys';

const CIPHER = 'aes-256-gcm';
export const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Lock {
  keys: SecretsKeys;
  /** Bytes sealed for one purpose don't open for another. */
  purpose: string;
  /** The owner of the text. Bytes copied to another subject don't open. Empty for none. */
  subject: string;
}

/** The bytes are sealed with a key that this process doesn't have. */
export class UnknownSecretsKey extends Error {
  override readonly name = 'UnknownSecretsKey';

  constructor(keyId: Buffer, keys: SecretsKeys) {
    const known = everyKey(keys).map((key) => keyIdOf(key).toString('hex'));
    super(
      `a secret is sealed with SECRETS_KEY ${keyId.toString('hex')}, but this process has ${known.join(' and ')}. Set the missing key as SECRETS_KEY_PREVIOUS`,
    );
  }
}

/** Seals with the current key. `iv` is random by default; a caller that passes one must never use it for two texts. */
export function seal(text: string, lock: Lock, iv: Buffer = randomBytes(IV_BYTES)): Buffer {
  const { current } = lock.keys;
  const cipher = createCipheriv(CIPHER, derivedKey(current, lock.purpose), iv).setAAD(
    Buffer.from(lock.subject),
  );
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([keyIdOf(current), iv, cipher.getAuthTag(), sealed]);
}

/** Throws `UnknownSecretsKey` if the key is missing. Also throws for another purpose or subject, and for modified bytes. */
export function open(sealed: Buffer, { keys, purpose, subject }: Lock): string {
  const keyId = sealed.subarray(0, KEY_ID_BYTES);
  const key = everyKey(keys).find((each) => keyIdOf(each).equals(keyId));
  if (key === undefined) throw new UnknownSecretsKey(keyId, keys);
  const [iv, rest] = cut(sealed.subarray(KEY_ID_BYTES), IV_BYTES);
  const [tag, ciphertext] = cut(rest, TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, derivedKey(key, purpose), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(subject)).setAuthTag(tag);
  return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
}

/** Returns false for bytes that must be re-encrypted before the previous key can be removed. */
export const isSealedWithCurrent = (sealed: Buffer, { current }: SecretsKeys): boolean =>
  keyIdOf(current).equals(sealed.subarray(0, KEY_ID_BYTES));

const cut = (bytes: Buffer, at: number): [Buffer, Buffer] => [bytes.subarray(0, at), bytes.subarray(at)];
