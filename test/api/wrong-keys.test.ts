/** Wrong keys from one address. Beyond a limit they get the same 401 without a query, and other clients aren't affected. */
import { randomUUID } from 'node:crypto';
import { MAX_WRONG_KEYS, WrongKeys } from '../../api/http/auth/api-key';
import { issueApiKey, revokeApiKey, validKeyHashPrefixes } from '../../db/organizations/api-keys';
import { openSession } from '../../db/organizations/console-tokens';
import { openTestApi, type Answer, type TestApi } from './support/test-api';
import type { IncomingMessage } from 'node:http';
import { clientAddress, networkOf } from '../../api/http/auth/client-address';
import { trustedProxies } from '../../config/trusted-proxies';

let api: TestApi;
let looked: string[] = [];

beforeAll(async () => {
  api = await openTestApi({ settings: { trustedProxies: ['127.0.0.1', '::1'] } });
  api.db.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('from api_keys')) looked.push(sql.includes('key_hash =') ? 'key' : 'marks');
  });
});
afterAll(() => api.close());
beforeEach(() => {
  looked = [];
  // Start a new window for each test.
  api.clock.time += 3_600_000;
});

const ask = (key: string, address: string): Promise<Answer> =>
  api.ask('/api/agents', { as: { ...api.organization, key }, headers: { 'X-Forwarded-For': address } });
const wrong = (address: string): Promise<Answer> => ask(`vap_${randomUUID()}`, address);

async function exhaust(address: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let count = 0; count < MAX_WRONG_KEYS; count += 1) answers.push(await wrong(address));
  return answers;
}

test('returns the same response without a query once an address exceeds its limit', async () => {
  const [first] = await exhaust('203.0.113.1');
  expect(looked).toEqual(Array(MAX_WRONG_KEYS).fill('key'));
  looked = [];
  const answers = await Promise.all(Array.from({ length: 50 }, () => wrong('203.0.113.1')));
  for (const { status, text } of answers) expect([status, text]).toEqual([401, first?.text]);
  // The marks of all valid keys are read once.
  expect(looked).toEqual(['marks']);
});

test('accepts old and new valid keys from that address', async () => {
  await exhaust('203.0.113.2');
  expect((await ask(api.organization.key, '203.0.113.2')).status).toBe(200);
  const { key } = await issueApiKey(api.db, api.stranger.id);
  expect((await ask(key, '203.0.113.9')).status).toBe(200);
  // Two seconds after the key was created.
  api.clock.time += 2_000;
  expect((await ask(key, '203.0.113.2')).status).toBe(200);
});

test('rejects a revoked key immediately', async () => {
  const { id, key } = await issueApiKey(api.db, api.stranger.id);
  await exhaust('203.0.113.3');
  expect((await ask(key, '203.0.113.3')).status).toBe(200);
  await api.db('api_keys').where({ id }).update({ revoked_at: new Date() });
  expect((await ask(key, '203.0.113.3')).status).toBe(401);
});

test('counts each address separately, and starts again after a minute', async () => {
  await exhaust('203.0.113.4');
  looked = [];
  await wrong('203.0.113.5');
  expect(looked).toEqual(['key']);
  api.clock.time += 60_000;
  await wrong('203.0.113.4');
  expect(looked).toEqual(['key', 'key']);
});

test('counts an IPv6 network as one address', async () => {
  for (let count = 0; count < MAX_WRONG_KEYS; count += 1) await wrong(`2001:db8:1:2::${count}`);
  looked = [];
  await wrong('2001:db8:1:2:ffff::1');
  expect(looked).toEqual(['marks']);
});

test("doesn't count requests with valid keys", async () => {
  for (let count = 0; count < 2 * MAX_WRONG_KEYS; count += 1) await ask(api.organization.key, '203.0.113.6');
  looked = [];
  await wrong('203.0.113.6');
  expect(looked).toEqual(['key']);
});

test('forgets the least recently used addresses when there are very many', async () => {
  const wrongKeys = new WrongKeys(api.db, 3);
  for (const address of ['a', 'b', 'c']) {
    for (let count = 0; count < MAX_WRONG_KEYS; count += 1) wrongKeys.count(address, 0);
  }
  wrongKeys.count('a', 1);
  wrongKeys.count('d', 1);
  const may = (address: string) => wrongKeys.mayBeValid('vap_wrong', address, 2);
  expect(await Promise.all(['a', 'b', 'c', 'd'].map(may))).toEqual([false, true, false, true]);
});

test('reads only the hash prefixes of keys, and recognizes sessions by the prefix of their key', async () => {
  const { id, key } = await issueApiKey(api.db, api.stranger.id);
  const { count } = await validKeyHashPrefixes(api.db, api.clock.time);
  const session = await openSession(api.db, id, api.clock.time);
  const marks = await validKeyHashPrefixes(api.db, api.clock.time);
  expect(marks.count).toBe(count);
  expect([key, session.token].map((secret) => marks.has(secret))).toEqual([true, true]);
  const others = Array.from({ length: 1_000 }, () => `vap_${randomUUID()}`);
  expect(others.filter((secret) => marks.has(secret))).toEqual([]);
  expect(marks.has(`AAAAAAAAAAA.${session.token.split('.')[1]}`)).toBe(false);
  await revokeApiKey(api.db, id, api.clock.time);
  const later = await validKeyHashPrefixes(api.db, api.clock.time);
  expect([key, session.token].map((secret) => later.has(secret))).toEqual([false, false]);
});

describe("the client's address", () => {
  const addressOf = (remoteAddress: string, forwarded: string | null, trusted: string[] = []) => {
    const list = trustedProxies(trusted);
    if (list === null) throw new Error('the test names no proxies');
    const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
    return clientAddress({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, list);
  };

  test.each<[title: string, remote: string, forwarded: string | null, trusted: string[], address: string]>([
    ['of the connection, without a proxy', '203.0.113.5', null, [], '203.0.113.5'],
    [
      'of the connection, ignoring what an untrusted peer claims',
      '203.0.113.5',
      '198.51.100.1',
      [],
      '203.0.113.5',
    ],
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
});
