/** What is encrypted at rest: AES-256-GCM, laid out as key id, iv, tag, ciphertext. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKey, everyKey, KEY_ID_BYTES, keyIdOf, type SecretsKeys } from './secrets-keys';

const CIPHER = 'aes-256-gcm';
export const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Lock {
  keys: SecretsKeys;
  /** What is sealed for one purpose does not open for another. */
  purpose: string;
  /** What the text belongs to: sealed bytes that are moved to another subject do not open. Empty for none. */
  subject: string;
}

/** Sealed with a key that this process was not given. */
export class UnknownSecretsKey extends Error {
  override readonly name = 'UnknownSecretsKey';

  constructor(keyId: Buffer, keys: SecretsKeys) {
    const known = everyKey(keys).map((key) => keyIdOf(key).toString('hex'));
    super(
      `a secret was sealed with the SECRETS_KEY ${keyId.toString('hex')}, and this process has ${known.join(' and ')}: set the missing one as SECRETS_KEY_PREVIOUS`,
    );
  }
}

/** With the current key. Without an `iv` one is drawn. One of the caller's must never stand for two texts. */
export function seal(text: string, lock: Lock, iv: Buffer = randomBytes(IV_BYTES)): Buffer {
  const { current } = lock.keys;
  const cipher = createCipheriv(CIPHER, derivedKey(current, lock.purpose), iv).setAAD(
    Buffer.from(lock.subject),
  );
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([keyIdOf(current), iv, cipher.getAuthTag(), sealed]);
}

/** Fails with `UnknownSecretsKey` for another key; also for another purpose or subject, and for bytes that were changed. */
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

/** Whether it waits for a re-encryption: the previous key may go once nothing does. */
export const isSealedWithCurrent = (sealed: Buffer, { current }: SecretsKeys): boolean =>
  keyIdOf(current).equals(sealed.subarray(0, KEY_ID_BYTES));

const cut = (bytes: Buffer, at: number): [Buffer, Buffer] => [bytes.subarray(0, at), bytes.subarray(at)];
