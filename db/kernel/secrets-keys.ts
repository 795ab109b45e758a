/**
 * The deployment's keys (one, or two during a rotation), and the encryption and expiring signatures that use them. Signatures aren't
 * stored.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Each key has 32 bytes. */
export interface SecretsKeys {
  /** Used to seal and sign. */
  current: Buffer;
  /** Also accepted to open and verify. Null outside a rotation. */
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

/** Sealed bytes are key id, IV, tag and ciphertext. */
const CIPHER = 'aes-256-gcm';
export const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Lock {
  keys: SecretsKeys;
  /** Bytes sealed for one purpose can't be opened for another. */
  purpose: string;
  /** Owner of the sealed text. Empty if it has none. Bytes that are copied to another subject can't be opened. */
  subject: string;
}

/** The bytes are sealed with a key that this process doesn't have. */
class UnknownSecretsKey extends Error {
  override readonly name = 'UnknownSecretsKey';

  constructor(keyId: Buffer, keys: SecretsKeys) {
    const known = everyKey(keys).map((key) => keyIdOf(key).toString('hex'));
    super(
      `a secret is sealed with SECRETS_KEY ${keyId.toString('hex')}, but this process has ${known.join(' and ')}. Set the missing key as SECRETS_KEY_PREVIOUS`,
    );
  }
}

/** Seals with the current key. `iv` is random by default and must never be used twice. */
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

/** A signature for one purpose isn't valid for another. */
export interface Signing {
  keys: SecretsKeys;
  purpose: string;
}

/** Signs with the current key. `expires` is signed as a string, exactly as it appears in the URL. */
export const signatureOf = (signing: Signing, subject: string, expires: string): Buffer =>
  macOf(signing.keys.current, signing.purpose, subject, expires);

/** Accepts the current and the previous key. Check the expiry separately. */
export function isGenuine(
  { keys, purpose }: Signing,
  { subject, expires, signature }: { subject: string; expires: string; signature: Buffer },
): boolean {
  return everyKey(keys).some((key) => {
    const expected = macOf(key, purpose, subject, expires);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

/** Returns `<expiry in milliseconds since the epoch>.<signature>`, which is safe in a URL path. */
export function issueToken(
  signing: Signing,
  { subject, validForMs }: { subject: string; validForMs: number },
  now: number,
): string {
  const expires = String(Math.round(now + validForMs));
  return `${expires}.${signatureOf(signing, subject, expires).toString('base64url')}`;
}

/** Returns the token's expiry in milliseconds since the epoch, or null if it is forged, expired or for another subject. */
export function tokenExpiry(signing: Signing, subject: string, token: string, now: number): number | null {
  const [, expires, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
  if (expires === undefined || signature === undefined) return null;
  const given = { subject, expires, signature: Buffer.from(signature, 'base64url') };
  return isGenuine(signing, given) && Number(expires) > now ? Number(expires) : null;
}

const macOf = (key: Buffer, purpose: string, subject: string, expires: string): Buffer =>
  createHmac('sha256', derivedKey(key, purpose)).update(`${subject}\n${expires}`).digest();
