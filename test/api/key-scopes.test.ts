/** Sends every operation of the document with keys of each scope, and checks how a key's use is recorded. */
import { randomUUID, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueApiKey, SCOPES, type Scope } from '../../db/organizations/api-keys';
import { waitUntil } from '../../dev/stack/wait-until';
import { operationsOf, parametersIn, pathOf, payloadsOf, type Operation } from './support/operations';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type Answer, type TestApi } from './support/test-api';
import { RawConnection } from './support/raw-connection';

let api: TestApi;
let operations: Operation[];
let scopeOf: Record<string, Scope>;
const keys = new Map<Scope, string>();

beforeAll(async () => {
  api = await openTestApi();
  const { body } = await api.ask('/api/openapi.json');
  operations = operationsOf(body);
  scopeOf = Object.fromEntries(
    operations.map(({ name, method, path }) => [
      name,
      body.paths[path][method.toLowerCase()].security.find((way: object) => 'apiKey' in way).apiKey[0],
    ]),
  );
  for (const scope of SCOPES) keys.set(scope, await keyWith(scope));
});
afterAll(() => api.close());

/** Marks the key as just used, so that requests don't record their use. */
async function keyWith(...scopes: Scope[]): Promise<string> {
  const { id, key } = await issueApiKey(api.db, api.organization.id, { scopes });
  await api
    .db('api_keys')
    .where({ id })
    .update({ last_used_at: new Date(api.clock.time) });
  return key;
}

function ask(operation: Operation, key: string): Promise<Answer> {
  const ids = Object.fromEntries(parametersIn(operation, 'path').map(({ name }) => [name, randomUUID()]));
  // A key can't create a key with more scopes than its own.
  const changes = operation.name === 'POST /api/keys' ? { scopes: ['configure'] } : {};
  const [{ headers = {}, ...payload } = {}] = payloadsOf(operation, changes);
  const asked = { ...payload, method: operation.method, headers };
  return api.ask(pathOf(operation, ids), { ...asked, as: { ...api.organization, key } });
}

const codeOf = ({ body }: Answer): unknown => body.code ?? body.detail?.code;

test("returns 403 in the operation's own error shape when the key lacks its scope, and changes nothing", async () => {
  const before = await tableHashes(api.db);
  const faults: string[] = [];
  for (const operation of operations) {
    for (const scope of SCOPES.filter((each) => each !== scopeOf[operation.name])) {
      const answer = await ask(operation, keys.get(scope) ?? '');
      const isRefused = answer.status === 403 && codeOf(answer) === 'INSUFFICIENT_SCOPE';
      if (!isRefused) faults.push(`${operation.name} with ${scope}: ${answer.status} ${answer.text}`);
    }
  }
  expect(faults).toEqual([]);
  expect(await tableHashes(api.db)).toEqual(before);
  const create = operations.find(({ name }) => name === 'POST /api/campaigns/create');
  const dispatch = operations.find(({ name }) => name === 'POST /api/trigger-call/');
  if (create === undefined || dispatch === undefined) throw new Error('the document lacks an operation');
  const read = keys.get('read') ?? '';
  expect((await ask(create, read)).body).toMatchObject({ status_code: 403, error: 'Forbidden' });
  expect((await ask(dispatch, read)).body).toMatchObject({ success: false, error: 'INSUFFICIENT_SCOPE' });
});

test("accepts a key with the operation's scope, and a key without scope limits", async () => {
  for (const operation of operations) {
    for (const key of [keys.get(scopeOf[operation.name] ?? 'read') ?? '', api.organization.key]) {
      expect([operation.name, (await ask(operation, key)).status]).not.toEqual([operation.name, 403]);
    }
  }
});

test('documents in docs/api.md the scope that the service requires for each operation', () => {
  const page = readFileSync(join(__dirname, '../../docs/api.md'), 'utf8').replace(/\s*\n\s*/g, ' ');
  const named = (scope: string): string[] => {
    const [, list = ''] = new RegExp(`\\*\\*${scope}\\*\\*: ([^*]*)`).exec(page) ?? [];
    return [...list.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, name = '']) => name).sort();
  };
  const having = (scope: Scope): string[] =>
    operations
      .flatMap(({ name }) => (scopeOf[name] === scope ? [name.replace(/\{\w+\}/g, '{id}')] : []))
      .sort();
  const sections = (names: string[]): string[] =>
    [
      ...new Set(names.map((name) => name.replace(/^(PATCH \/api\/agent\/\{id\}\/).*/, '$1{section}'))),
    ].sort();
  expect(named('configure')).toEqual(sections(having('configure')));
  expect(named('operate')).toEqual(having('operate'));
  expect(having('read').filter((name) => !name.startsWith('GET '))).toEqual(named('read'));
});

test('allows a key without configure to dispatch an agent, but not with modify_agent', async () => {
  const { body: made } = await api.ask('/api/create-agent', { json: { agent_display_name: 'Reminder' } });
  const call = {
    agent_id: made.agent_id,
    medium: 'telephony',
    contact_number: '+919876543210',
    name: 'Asha',
  };
  const as = { ...api.organization, key: keys.get('operate') ?? '' };
  const elsewhere = { persona: { llm: { primary: { url: 'wss://thief.example.test' } } } };
  const modified = { as, json: { ...call, modify_agent: elsewhere } };
  expect((await api.ask('/api/trigger-call/', modified)).status).toBe(403);
  expect((await api.ask('/api/trigger-call/', { as, json: call })).status).toBe(200);
  const both = { ...api.organization, key: await keyWith('operate', 'configure') };
  expect((await api.ask('/api/trigger-call/', { as: both, json: modified.json })).status).toBe(200);
});

test("records a key's last use without delaying or failing the request", async () => {
  const { id, key } = await issueApiKey(api.db, api.organization.id);
  const asking = () => api.ask('/api/agents', { as: { ...api.organization, key } });
  const lastUse = async () => (await api.db('api_keys').where({ id }).first()).last_used_at;
  await api.db.raw(`create function refuse_use() returns trigger language plpgsql as $$
      begin raise exception 'read only'; end $$`);
  await api.db.raw(
    `create trigger refuse_use before update on api_keys for each row execute function refuse_use()`,
  );
  expect((await asking()).status).toBe(200);
  expect(await lastUse()).toBeNull();
  await api.db.raw('drop trigger refuse_use on api_keys');
  const locked = await api.db.transaction();
  await locked.raw('select 1 from api_keys where id = ? for update', [id]);
  api.clock.time += 60_000;
  // The row stays locked until after the response.
  expect((await asking()).status).toBe(200);
  await locked.rollback();
  await waitUntil({
    what: 'the last use',
    check: async () => (await lastUse())?.getTime() === api.clock.time,
    timeoutMs: 20_000,
  });
});

/** Sends every operation of the document with every kind of invalid key. */
describe('an invalid key', () => {
  const VARYING = ['date', 'x-request-id'];

  jest.setTimeout(180_000);

  let operations: Operation[];
  let wrongKeys: Record<string, string>;

  beforeAll(async () => {
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
      if (!/^401\n[^]*"MISSING_API_KEY"/.test(bytesOf(missing)))
        faults.push(`${operation.name} without a key`);
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
});

describe('a request without a valid key', () => {
  beforeAll(() => {
    // Starts a new window of the limit of wrong keys.
    api.clock.time += 3_600_000;
  });

  const ID = randomUUID();
  const DETAIL: [method: string, path: string][] = [
    ['POST', '/api/create-agent'],
    ['GET', '/api/agents'],
    ['GET', `/api/agent/${ID}`],
    ['GET', '/api/campaigns/'],
    ['GET', `/api/campaigns/${ID}`],
    ['GET', `/api/campaigns/${ID}/contacts`],
    ['GET', `/api/campaigns/${ID}/file`],
    ['POST', `/api/campaigns/${ID}/pause`],
    ['POST', `/api/campaigns/${ID}/resume`],
    ['POST', `/api/campaigns/${ID}/cancel`],
    ['GET', '/api/call-history'],
    ['GET', '/api/call_details/outbound-1'],
    ['GET', '/api/call_details/'],
    ['GET', '/api/transcript/outbound-1'],
    ['GET', '/api/webhook-deliveries'],
  ];

  describe.each(DETAIL)('%s %s', (method, path) => {
    test.each([
      ['without a key', {}, 'MISSING_API_KEY'],
      ['with a blank key', { 'X-API-Key': '  ' }, 'MISSING_API_KEY'],
      ['with a wrong key', { 'X-API-Key': 'vap_wrong' }, 'INVALID_API_KEY'],
    ])('returns 401 %s before any other check', async (_title, headers, code) => {
      const { status, body } = await api.ask(path, {
        method,
        as: null,
        headers: headers,
      });
      expect(status).toBe(401);
      expect(body).toEqual({ detail: { code, message: expect.any(String) } });
    });
  });

  test('reports a missing key in the error shape of dispatch', async () => {
    const { status, body } = await api.ask('/api/trigger-call/', { method: 'POST', as: null });
    expect(status).toBe(401);
    expect(body).toEqual({
      success: false,
      message: expect.any(String),
      output: null,
      error: 'MISSING_API_KEY',
      detail: { code: 'MISSING_API_KEY', message: expect.any(String) },
    });
  });

  test('reports a missing key in the error shape of campaign create', async () => {
    const { status, body } = await api.ask('/api/campaigns/create', { method: 'POST', as: null });
    expect(status).toBe(401);
    expect(body).toMatchObject({ status_code: 401, error: 'Unauthorized', code: 'MISSING_API_KEY' });
  });

  test('returns identical responses for a revoked, an expired and a wrong key', async () => {
    const wrong = await api.ask('/api/agents', { as: { ...api.organization, key: 'vap_wrong' } });
    for (const change of [{ revoked_at: new Date() }, { expires_at: new Date(api.clock.time) }]) {
      const { id, key } = await issueApiKey(api.db, api.organization.id);
      await api.db('api_keys').where({ id }).update(change);
      const answer = await api.ask('/api/agents', { as: { ...api.organization, key } });
      expect([answer.status, answer.text]).toEqual([401, wrong.text]);
    }
  });

  test('accepts a key until it expires', async () => {
    const { id, key } = await issueApiKey(api.db, api.organization.id);
    await api
      .db('api_keys')
      .where({ id })
      .update({ expires_at: new Date(api.clock.time + 1) });
    expect((await api.ask('/api/agents', { as: { ...api.organization, key } })).status).toBe(200);
  });

  test('stores only the hash and the prefix of a key', async () => {
    const { id, key, prefix } = await issueApiKey(api.db, api.organization.id);
    const row = await api.db('api_keys').where({ id }).first();
    expect(key).toMatch(/^vap_[\w-]{32}$/);
    expect(row.prefix).toBe(prefix);
    expect(JSON.stringify(row)).not.toContain(key);
  });

  test('checks the key before it reads the body', async () => {
    const { status } = await api.ask('/api/create-agent', {
      as: null,
      body: 'x'.repeat(2 * 1024 * 1024),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(status).toBe(401);
  });
});
