/** Wrong keys from one address. Beyond a limit they get the same 401 without a query, and other clients aren't affected. */
import { randomUUID } from 'node:crypto';
import { MAX_WRONG_KEYS, WrongKeys } from '../../api/http/auth/wrong-keys';
import { issueApiKey, revokeApiKey, validKeyHashPrefixes } from '../../db/organizations/api-keys';
import { openSession } from '../../db/organizations/console-tokens';
import { openTestApi, type Answer, type TestApi } from './support/test-api';

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

test("returns the same response without a query beyond an address's limit", async () => {
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

test("doesn't count valid keys, however many requests they make", async () => {
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

test('reads only the marks of keys, and recognizes sessions by the mark of their key', async () => {
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
