/** Sends every operation of the document with every kind of invalid key. */
import { createHash, randomUUID } from 'node:crypto';
import { issueApiKey } from '../../db/organizations/api-keys';
import { operationsOf, parametersIn, pathOf, payloadsOf, type Operation } from './support/operations';
import { RawConnection } from './support/raw-connection';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type Answer, type TestApi } from './support/test-api';

const VARYING = ['date', 'x-request-id'];

jest.setTimeout(180_000);

let api: TestApi;
let operations: Operation[];
let wrongKeys: Record<string, string>;

beforeAll(async () => {
  api = await openTestApi();
  operations = operationsOf((await api.ask('/api/openapi.json')).body);
  const { key } = api.organization;
  const hash = createHash('sha256').update(key).digest();
  const { id } = await api.db('api_keys').where({ organization_id: api.organization.id }).first('id');
  wrongKeys = {
    unknown: `vap_${'x'.repeat(32)}`,
    revoked: await spoiled({ revoked_at: new Date(api.clock.time) }),
    expired: await spoiled({ expires_at: new Date(api.clock.time) }),
    'one letter short': key.slice(0, -1),
    'one letter more': `${key}x`,
    'in another case': key.toUpperCase(),
    'twice, as one header': `${key}, ${key}`,
    'its prefix': key.slice(0, 12),
    'its hash': hash.toString('hex'),
    'its id': id,
    "the client's id": api.organization.id,
    'of one letter': 'x',
    'very long': 'x'.repeat(12_000),
    'of other bytes': '\u00ff\u00fe%00',
    'a piece of SQL': "' or true --",
    'a name of a prototype': '__proto__',
    'a bearer token': `Bearer ${key}`,
  };
});
afterAll(() => api.close());

async function spoiled(change: object): Promise<string> {
  const { id, key } = await issueApiKey(api.db, api.organization.id);
  await api.db('api_keys').where({ id }).update(change);
  return key;
}

function ask(operation: Operation, key: string | null): Promise<Answer> {
  const ids = Object.fromEntries(parametersIn(operation, 'path').map(({ name }) => [name, UNKNOWN]));
  const [{ headers = {}, ...payload } = {}] = payloadsOf(operation);
  return api.ask(pathOf(operation, ids), {
    ...payload,
    method: operation.method,
    as: null,
    headers: { ...headers, 'X-Request-Id': 'the-same', ...(key === null ? {} : { 'X-API-Key': key }) },
  });
}

const UNKNOWN = randomUUID();

function bytesOf({ status, headers, text }: Answer): string {
  const lines = [...headers]
    .filter(([name]) => !VARYING.includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  return [status, ...lines.sort(), text].join('\n');
}

test('returns the same response for every invalid key on every operation, and writes nothing', async () => {
  const before = await tableHashes(api.db);
  const faults: string[] = [];
  let asked = 0;
  for (const operation of operations) {
    const expected = bytesOf(await ask(operation, wrongKeys.unknown ?? ''));
    if (!/^401\n[^]*"INVALID_API_KEY"/.test(expected)) faults.push(`${operation.name}: ${expected}`);
    for (const [kind, key] of Object.entries(wrongKeys)) {
      asked += 1;
      const answer = bytesOf(await ask(operation, key));
      if (answer !== expected) faults.push(`${operation.name} ${kind}: ${answer}`);
    }
    const [missing, blank] = [await ask(operation, null), await ask(operation, '   ')];
    if (!/^401\n[^]*"MISSING_API_KEY"/.test(bytesOf(missing))) faults.push(`${operation.name} without a key`);
    if (bytesOf(missing) !== bytesOf(blank)) faults.push(`${operation.name} with a blank key`);
  }
  expect(faults).toEqual([]);
  expect(asked).toBe(operations.length * Object.keys(wrongKeys).length);
  expect(await tableHashes(api.db)).toEqual(before);
});

test('rejects a wrong key before an endless body ends, on every operation with a body', async () => {
  const port = Number(new URL(api.url).port);
  const taking = operations.filter(({ bodies }) => bodies.length > 0);
  expect(taking.length).toBeGreaterThan(5);
  for (const operation of taking) {
    const ids = Object.fromEntries(parametersIn(operation, 'path').map(({ name }) => [name, UNKNOWN]));
    for (const { contentType } of operation.bodies) {
      const connection = await RawConnection.open(port);
      connection.write(
        [
          `${operation.method} ${pathOf(operation, ids)} HTTP/1.1`,
          'Host: x',
          'X-API-Key: vap_wrong',
          `Content-Type: ${contentType}; boundary=b`,
          'Transfer-Encoding: chunked',
          '',
          '5\r\n--b\r\n\r\n',
        ].join('\r\n'),
      );
      expect(await connection.answer()).toMatch(/^HTTP\/1\.1 401 /);
      connection.socket.destroy();
    }
  }
});
