/** Which addresses a stranger's URL may lead to. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Of the registry of special addresses (RFC 6890) what is not for the public, and what a cloud answers its machines at. */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/**
 * All addresses of the public lie in 2000::/3, so mapped, compatible, translated (64:ff9b::), unique local, link-local and multicast
 * ones are refused without being named. Within it: Teredo and its neighbours, documentation, 6to4; the first and the last carry an
 * IPv4 address, which may be any.
 */
const GLOBAL_IPV6 = ['2000::', 3] as const;
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [net, prefix] of SPECIAL_IPV4) special.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of SPECIAL_IPV6) special.addSubnet(net, prefix, 'ipv6');
const global = new BlockList();
global.addSubnet(...GLOBAL_IPV6, 'ipv6');

/** False also for what is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return isIPv6(address) && global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
