import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKey } from '../derived-key';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Answers hold credentials (tokens of media and captions, signed addresses) and e-mail addresses, so they are stored encrypted.
 * Bound to the subject: an answer moved to another row does not open. Laid out as iv, tag, ciphertext.
 */
export function sealAnswer(body: unknown, subjectId: string, secretsKey: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secretsKey), iv).setAAD(Buffer.from(subjectId));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(body), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** The caller names the body that it sealed. Fails when `secretsKey` is not the one that it was sealed with. */
export function openAnswer<Body>(sealed: Buffer, subjectId: string, secretsKey: Buffer): Body {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(secretsKey), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(subjectId));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const text = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8');
  return JSON.parse(text + decipher.final('utf8')) as Body;
}

const keyOf = (secretsKey: Buffer): Buffer => derivedKey(secretsKey, 'idempotency answers');
