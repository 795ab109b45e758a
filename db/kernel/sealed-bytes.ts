/** What is encrypted at rest: AES-256-GCM, laid out as iv, tag, ciphertext. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
export const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Lock {
  /** 32 bytes. */
  key: Buffer;
  /** What the text belongs to: sealed bytes that are moved to another subject do not open. Empty for none. */
  subject: string;
}

/** Without an `iv` one is drawn. One of the caller's must never stand for two texts. */
export function seal(text: string, { key, subject }: Lock, iv: Buffer = randomBytes(IV_BYTES)): Buffer {
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(subject));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Fails for another key or subject than it was sealed with, and for bytes that were changed. */
export function open(sealed: Buffer, { key, subject }: Lock): string {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(subject));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const text = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8');
  return text + decipher.final('utf8');
}
