/** The cookie of the console's session, and the token that keeps other sites from using it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A browser stores and sends it only over https and for this host alone, so that no neighbouring host can plant one. */
const SECURE_NAME = '__Host-console_session';
/** Over plain http, as on a developer's own machine, where browsers refuse the other name. */
const PLAIN_NAME = 'console_session';

/** As the methods are that change nothing. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** The session's token in a `Cookie` header; empty for none. Over https only the cookie of that name counts. */
export const sessionTokenIn = (cookies: string | undefined, { isSecure }: { isSecure: boolean }): string =>
  cookieIn(cookies ?? '', SECURE_NAME) || (isSecure ? '' : cookieIn(cookies ?? '', PLAIN_NAME));

function cookieIn(cookies: string, name: string): string {
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return '';
}

/** As a `Set-Cookie` header; of an empty token one that takes the cookie away. */
export function sessionCookie(
  token: string,
  { maxAgeS, isSecure }: { maxAgeS: number; isSecure: boolean },
): string {
  const name = isSecure ? SECURE_NAME : PLAIN_NAME;
  const parts = [`${name}=${token}`, 'HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${maxAgeS}`];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

/** Derived, so that nothing more is stored: whoever has it does not have the session. */
export const csrfTokenOf = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('csrf').digest('base64url');

/** A request that changes nothing needs none. */
export function hasCsrfToken(request: { method: string; given: string }, sessionToken: string): boolean {
  if (SAFE_METHODS.includes(request.method)) return true;
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  const given = Buffer.from(request.given);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
