/**
 * Decides which requests a server on this machine answers. A web page could point its own domain at 127.0.0.1 and make a browser call us.
 */
import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns whether `Host`, and `Origin` if a browser sent one, name this machine or a host in `allowed`. Names in `allowed` are lower-case,
 * and ports are ignored.
 */
export function isAdmitted(
  { host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  allowed: readonly string[],
): boolean {
  const names = [...LOOPBACK, ...allowed];
  const isNamed = (address: string): boolean =>
    URL.canParse(address) && names.includes(new URL(address).hostname);
  return isNamed(`http://${host ?? ''}`) && (origin === undefined || isNamed(origin));
}

/** Returns the key of `Authorization: Bearer <key>`, or null without one. */
export const bearerKey = (authorization: string | undefined): string | null =>
  /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? null;
