/** What opens one thing until an instant, to whoever holds it, and is kept nowhere: an HMAC over the thing's name and the expiry. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey, everyKey, type SecretsKeys } from './secrets-keys';

/** A signature of one purpose is worth nothing for another. */
export interface Signing {
  keys: SecretsKeys;
  purpose: string;
}

/** With the current key. `expires` is signed as it is written. */
export const signatureOf = (signing: Signing, subject: string, expires: string): Buffer =>
  macOf(signing.keys.current, signing.purpose, subject, expires);

/** Also with the previous key. Whether it has expired is the caller's to look at. */
export function isGenuine(
  { keys, purpose }: Signing,
  { subject, expires, signature }: { subject: string; expires: string; signature: Buffer },
): boolean {
  return everyKey(keys).some((key) => {
    const expected = macOf(key, purpose, subject, expires);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

/** Both in one text that fits a segment of a path: `<milliseconds since the epoch>.<signature>`. */
export function issueToken(
  signing: Signing,
  { subject, validForMs }: { subject: string; validForMs: number },
  now: number,
): string {
  const expires = String(Math.round(now + validForMs));
  return `${expires}.${signatureOf(signing, subject, expires).toString('base64url')}`;
}

/** When it ends, in milliseconds since the epoch; null for a token that is not genuine, of something else, or past its end. */
export function tokenExpiry(signing: Signing, subject: string, token: string, now: number): number | null {
  const [, expires, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
  if (expires === undefined || signature === undefined) return null;
  const given = { subject, expires, signature: Buffer.from(signature, 'base64url') };
  return isGenuine(signing, given) && Number(expires) > now ? Number(expires) : null;
}

const macOf = (key: Buffer, purpose: string, subject: string, expires: string): Buffer =>
  createHmac('sha256', derivedKey(key, purpose)).update(`${subject}\n${expires}`).digest();
