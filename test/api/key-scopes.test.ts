/** Sends every operation of the document with keys of each scope, and checks how a key's use is recorded. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueApiKey, SCOPES, type Scope } from '../../db/organizations/api-keys';
import { waitUntil } from '../../dev/stack/wait-until';
import { operationsOf, parametersIn, pathOf, payloadsOf, type Operation } from './support/operations';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type Answer, type TestApi } from './support/test-api';

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
