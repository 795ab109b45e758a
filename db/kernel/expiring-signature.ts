/** Signatures and tokens that give access to one subject until they expire. They aren't stored: each is an HMAC over subject and expiry. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey, everyKey, type SecretsKeys } from './secrets-keys';

/** A signature for one purpose isn't valid for another. */
export interface Signing {
  keys: SecretsKeys;
  purpose: string;
}

/** Signs with the current key. `expires` is signed as text, exactly as given. */
export const signatureOf = (signing: Signing, subject: string, expires: string): Buffer =>
  macOf(signing.keys.current, signing.purpose, subject, expires);

/** Accepts the current and the previous key. The caller must check the expiry. */
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
