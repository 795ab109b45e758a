/** Which addresses a stranger's URL may lead to. */

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
 * IPv4 address, which may be any. Each is recognised by its first 32 bits.
 */
const GLOBAL_IPV6 = ['2000::', 3] as const;
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/** False also for what is no address, and for one with a zone. */
export function isPublicAddress(address: string): boolean {
  const ipv4 = bitsOfIpv4(address);
  if (ipv4 !== null) return !SPECIAL_IPV4.some((range) => isIn(ipv4, range, bitsOfIpv4));
  const ipv6 = leadingBitsOfIpv6(address);
  if (ipv6 === null || !isIn(ipv6, GLOBAL_IPV6, leadingBitsOfIpv6)) return false;
  return !SPECIAL_IPV6.some((range) => isIn(ipv6, range, leadingBitsOfIpv6));
}

type Range = readonly [net: string, prefix: number];

function isIn(bits: number, [net, prefix]: Range, bitsOf: (address: string) => number | null): boolean {
  const other = bitsOf(net) ?? 0;
  return bits >>> (32 - prefix) === other >>> (32 - prefix);
}

/** No leading zeros: to some readers they mean octal. */
const OCTET = /^(0|[1-9]\d{0,2})$/;

function bitsOfIpv4(address: string): number | null {
  const octets = address.split('.');
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) < 256)) return null;
  return octets.reduce((bits, octet) => bits * 256 + Number(octet), 0);
}

/** Of the whole address, which must be well-formed to its end. */
function leadingBitsOfIpv6(address: string): number | null {
  const halves = address.split('::');
  if (halves.length > 2) return null;
  const groups = halves.map((half, at) => groupsOf(half, { isLast: at === halves.length - 1 }));
  const [head = null, tail = []] = groups;
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const [first = 0, second = 0] = [...head, ...Array<number>(missing).fill(0), ...tail];
  return first * 65_536 + second;
}

/** The last two of an address may be written as an IPv4 address. */
function groupsOf(text: string, { isLast }: { isLast: boolean }): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [at, part] of parts.entries()) {
    const ipv4 = isLast && at === parts.length - 1 ? bitsOfIpv4(part) : null;
    if (ipv4 !== null) groups.push(ipv4 >>> 16, ipv4 & 0xffff);
    else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}
