/** Checks addresses to which an API client's URL leads. */

/** The non-public ranges of RFC 6890, and the metadata addresses of cloud providers. */
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
 * All public addresses are in 2000::/3, so other kinds (mapped, unique local, link-local, multicast) need no list. Teredo and 6to4 are
 * inside that range and are excluded because they can carry any IPv4 address. The first 32 bits identify each range.
 */
const GLOBAL_IPV6 = ['2000::', 3] as const;
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/** Returns false for an invalid address or one with a zone. */
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

/** Rejects leading zeros, which some parsers read as octal. */
const OCTET = /^(0|[1-9]\d{0,2})$/;

function bitsOfIpv4(address: string): number | null {
  const octets = address.split('.');
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) < 256)) return null;
  return octets.reduce((bits, octet) => bits * 256 + Number(octet), 0);
}

/** Returns the first 32 bits, or null if any part of the address is malformed. */
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

/** The last two groups may be written as an IPv4 address. */
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

/**
 * The "bad ports" of the Fetch standard. Services on these ports, such as mail servers, could misread an HTTP request as their own
 * protocol.
 */
const FORBIDDEN_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

export const isForbiddenPort = (port: number): boolean => FORBIDDEN_PORTS.has(port);
