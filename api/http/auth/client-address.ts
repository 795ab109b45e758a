import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import type { TrustedProxies } from '../../../config/trusted-proxies';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/**
 * Returns the address of the connection. If that is a trusted proxy, returns the last address in `X-Forwarded-For` that isn't a trusted
 * proxy, because anyone can forge the entries before it.
 */
export function clientAddress(request: IncomingMessage, trusted: TrustedProxies): string {
  const header = request.headers['x-forwarded-for'] ?? '';
  const named = String(header).split(',');
  let address = plain(request.socket.remoteAddress ?? '');
  while (isTrusted(address, trusted)) {
    const before = plain(withoutPort(named.pop() ?? ''));
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/** Returns true if the client's own connection is encrypted, according to the socket, a trusted proxy's header or an https public URL. */
export function isSecureRequest(
  request: IncomingMessage,
  { publicUrl, proxies }: { publicUrl: string; proxies: TrustedProxies },
): boolean {
  const { protocol, host } = new URL(publicUrl);
  return (protocol === 'https:' && request.headers.host === host) || cameByHttps(request, proxies);
}

function cameByHttps({ headers, socket }: IncomingMessage, trusted: TrustedProxies): boolean {
  if ('encrypted' in socket && socket.encrypted === true) return true;
  const [scheme = ''] = String(headers['x-forwarded-proto'] ?? '').split(',');
  // Some proxies send `wss` for a WebSocket.
  return (
    ['https', 'wss'].includes(scheme.trim().toLowerCase()) &&
    isTrusted(plain(socket.remoteAddress ?? ''), trusted)
  );
}

const isTrusted = (address: string, trusted: TrustedProxies): boolean =>
  isIP(address) !== 0 && trusted.check(address, familyOf(address));

/** Dual-stack sockets show IPv4 addresses as `::ffff:10.0.0.1`. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');

const withoutPort = (text: string): string =>
  text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/** Returns the part of an address that identifies one subscriber: a whole IPv4 address, or the first 64 bits of IPv6. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? [];
  const groups = head.split(':').filter((group) => group !== '');
  const last = tail.split(':').filter((group) => group !== '');
  const zeros = address.includes('::')
    ? Array<string>(Math.max(0, 8 - groups.length - last.length)).fill('0')
    : [];
  return [...groups, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
