import { BlockList, isIP, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { isPublicAddress } from '../../domain/public-address';

/** The first and last address of each range, and the addresses just outside it. */
const IPV4_EDGES: [inside: string[], beside: string[]][] = [
  [['0.0.0.0', '0.255.255.255'], ['1.0.0.0']],
  [
    ['10.0.0.0', '10.255.255.255'],
    ['9.255.255.255', '11.0.0.0'],
  ],
  [
    ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
    ['100.63.255.255', '100.128.0.0'],
  ],
  [
    ['127.0.0.0', '127.255.255.255'],
    ['126.255.255.255', '128.0.0.0'],
  ],
  [['168.63.129.16'], ['168.63.129.15', '168.63.129.17']],
  [
    ['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
    ['169.253.255.255', '169.255.0.0'],
  ],
  [
    ['172.16.0.0', '172.31.255.255'],
    ['172.15.255.255', '172.32.0.0'],
  ],
  [['192.0.0.0', '192.0.0.192', '192.0.0.255'], ['192.0.1.0']],
  [['192.0.2.0', '192.0.2.255'], ['192.0.3.0']],
  [['192.88.99.0', '192.88.99.255'], ['192.88.100.0']],
  [
    ['192.168.0.0', '192.168.255.255'],
    ['192.167.255.255', '192.169.0.0'],
  ],
  [
    ['198.18.0.0', '198.19.255.255'],
    ['198.17.255.255', '198.20.0.0'],
  ],
  [['198.51.100.0', '198.51.100.255'], ['198.51.101.0']],
  [['203.0.113.0', '203.0.113.255'], ['203.0.114.0']],
  [['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'], ['223.255.255.255']],
];

test.each(IPV4_EDGES)('treats %j as not public, and %j as public', (inside, beside) => {
  expect(inside.filter(isPublicAddress)).toEqual([]);
  expect(beside.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test.each([
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1'],
  ['IPv4-mapped, in hexadecimal', '::ffff:7f00:1'],
  ['IPv4-mapped, of a public address', '::ffff:8.8.8.8'],
  ['IPv4-mapped, written out', '0:0:0:0:0:ffff:a9fe:a9fe'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['IPv4-compatible', '::10.0.0.1'],
  ['NAT64', '64:ff9b::a9fe:a9fe'],
  ['NAT64 of a local network', '64:ff9b:1::a00:1'],
  ['discard', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['benchmarking', '2001:2::1'],
  ['ORCHID', '2001:10::1'],
  ['ORCHID 2', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation, newer', '3fff::1'],
  ['6to4 of a loopback', '2002:7f00:1::'],
  ['6to4 of a public address', '2002:808:808::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['unique local, a cloud', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['no address', 'example.com'],
  ['no address, short', '127.1'],
  ['nothing', ''],
])('treats %s (%s) as not public', (_what, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '2001:4860::1',
])('treats %s as public', (address) => expect(isPublicAddress(address)).toBe(true));

/** Compares with Node's own parser, which the domain can't import, for every well-formed address. */
describe('isPublicAddress(), compared with Node', () => {
  const global = new BlockList();
  global.addSubnet('2000::', 3, 'ipv6');
  const special = new BlockList();
  for (const [net, prefix] of [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ] as const)
    special.addSubnet(net, prefix, 'ipv6');

  test('agrees with Node on every spelling of an IPv6 address', () => {
    const near = fc.constantFrom('2001', '2002', '3fff', '2001:db8', '2001:1ff', '2001:200', '2000', '3ffe');
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const spelling = fc.oneof(
      fc.ipV6(),
      fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
      fc.tuple(near, group).map(([start, end]) => `${start}::${end}`),
      fc.tuple(near, fc.ipV4()).map(([start, end]) => `${start}::${end}`),
    );
    fc.assert(
      fc.property(spelling, (address) => {
        const expected = isIPv6(address) && global.check(address, 'ipv6') && !special.check(address, 'ipv6');
        expect([address, isPublicAddress(address)]).toEqual([address, expected]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("rejects everything that Node doesn't parse as an address", () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789abcf:.%'), maxLength: 24 });
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (address) => {
        if (!isIP(address)) expect([address, isPublicAddress(address)]).toEqual([address, false]);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  '1.2.3.4::',
  '2606::1.2.3.4:1',
  '2606:::1',
  '2606::1::2',
  '2606:1:2:3:4:5:6:7:8',
  '08.8.8.8',
  '8.8.8',
  '2606:4700:4700::1111%eth0',
])('rejects %s, which is malformed or not public', (address) => expect(isPublicAddress(address)).toBe(false));
