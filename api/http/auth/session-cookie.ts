/** The cookie of a console session, and the CSRF token that keeps other sites from using it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Browsers accept this name only over https and only from this exact host, so a sibling host can't set the cookie. */
const SECURE_NAME = '__Host-console_session';
/** Name over plain http, as in local development, where browsers refuse the `__Host-` prefix. */
const PLAIN_NAME = 'console_session';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Returns the session token from a `Cookie` header, or an empty string. Over https it reads the secure cookie only. */
export const sessionTokenIn = (cookies: string | undefined, { isSecure }: { isSecure: boolean }): string =>
  cookieIn(cookies ?? '', SECURE_NAME) || (isSecure ? '' : cookieIn(cookies ?? '', PLAIN_NAME));

function cookieIn(cookies: string, name: string): string {
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return '';
}

/** Returns a `Set-Cookie` header. An empty token removes the cookie. */
export function sessionCookie(
  token: string,
  { maxAgeS, isSecure }: { maxAgeS: number; isSecure: boolean },
): string {
  const name = isSecure ? SECURE_NAME : PLAIN_NAME;
  const parts = [`${name}=${token}`, 'HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${maxAgeS}`];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

/** Derived from the session token, so nothing else needs to be stored. It doesn't reveal the session token. */
export const csrfTokenOf = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('csrf').digest('base64url');

/** Always true for safe methods, which need no token. */
export function hasCsrfToken(request: { method: string; given: string }, sessionToken: string): boolean {
  if (SAFE_METHODS.includes(request.method)) return true;
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  const given = Buffer.from(request.given);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
