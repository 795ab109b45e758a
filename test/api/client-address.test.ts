import type { IncomingMessage } from 'node:http';
import { clientAddress, networkOf } from '../../api/http/auth/client-address';
import { trustedProxies } from '../../config/trusted-proxies';

const addressOf = (remoteAddress: string, forwarded: string | null, trusted: string[] = []) => {
  const list = trustedProxies(trusted);
  if (list === null) throw new Error('the test names no proxies');
  const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
  return clientAddress({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, list);
};

test.each<[title: string, remote: string, forwarded: string | null, trusted: string[], address: string]>([
  ['of the connection, without a proxy', '203.0.113.5', null, [], '203.0.113.5'],
  ['of the connection, whatever an untrusted peer claims', '203.0.113.5', '198.51.100.1', [], '203.0.113.5'],
  ['that the proxy names', '10.0.0.2', '203.0.113.5', ['10.0.0.0/8'], '203.0.113.5'],
  [
    'of the last hop that is not a proxy',
    '10.0.0.2',
    '1.1.1.1, 203.0.113.5, 10.0.0.9',
    ['10.0.0.0/8'],
    '203.0.113.5',
  ],
  ['of the proxy if the header is missing', '10.0.0.2', null, ['10.0.0.2'], '10.0.0.2'],
  ['of the proxy if the header holds no address', '10.0.0.2', 'unknown', ['10.0.0.2'], '10.0.0.2'],
  ['of the first hop if all are proxies', '10.0.0.2', '10.0.0.4, 10.0.0.3', ['10.0.0.0/8'], '10.0.0.4'],
  ['without its port', '10.0.0.2', '203.0.113.5:4711', ['10.0.0.2'], '203.0.113.5'],
  ['of IPv6 without its port', '::1', '[2001:db8::5]:4711', ['::1'], '2001:db8::5'],
  [
    'behind a proxy with a mapped IPv4 address',
    '::ffff:10.0.0.2',
    '203.0.113.5',
    ['10.0.0.2'],
    '203.0.113.5',
  ],
])('uses the address %s', (_title, remote, forwarded, trusted, address) => {
  expect(addressOf(remote, forwarded, trusted)).toBe(address);
});

test.each([
  '',
  'proxy',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '2001:db8::/129',
  '10.0.0/8',
  '/8',
  '10.0.0.1/x',
])('rejects %p, which is not a network', (text) => {
  expect(trustedProxies([text])).toBeNull();
});

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('reduces %p to the network %p, because one customer has a whole IPv6 /64', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
