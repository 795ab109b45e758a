import { BlockList, isIP, isIPv4 } from 'node:net';

/** Proxies whose `X-Forwarded-For` is trusted, as addresses or as networks such as `10.0.0.0/8`. */
export type TrustedProxies = BlockList;

/** Returns null if any item is neither an address nor a network. */
export function trustedProxies(texts: readonly string[]): TrustedProxies | null {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix = '', ...rest] = text.split('/');
    const bits = isIPv4(address) ? 32 : 128;
    if (isIP(address) === 0 || rest.length > 0 || !/^\d{0,3}$/.test(prefix) || Number(prefix) > bits)
      return null;
    list.addSubnet(address, text.includes('/') ? Number(prefix) : bits, isIPv4(address) ? 'ipv4' : 'ipv6');
    if (text.endsWith('/')) return null;
  }
  return list;
}
