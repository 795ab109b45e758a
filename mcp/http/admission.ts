/** Which requests a server on this machine answers: a page on the web can point its own name at 127.0.0.1 and have a browser ask us. */
import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether `Host`, and `Origin` where a browser sends one, name this machine or a host of `allowed` (names in lower case; a port makes no
 * difference).
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

/** The key of `Authorization: Bearer <key>`; null where there is none. */
export const bearerKey = (authorization: string | undefined): string | null =>
  /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? null;
