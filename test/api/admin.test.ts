import { randomUUID } from 'node:crypto';
import { readCommandLine, UsageError } from '../../api/admin/command-line';
import { runCommand } from '../../api/admin/run-command';
import { activeSecrets } from '../../db/signing-secrets';
import { openTestApi, type TestApi } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const admin = (line: string) =>
  runCommand({ db: api.db, secretsKey: api.secretsKey }, readCommandLine(line.split(' ')));
const json = async (line: string): Promise<any> => JSON.parse(await admin(`${line} --json`));

test('a new organisation has a key that opens the API', async () => {
  const org = await json('org create --name Sahara');
  expect(org).toEqual({ id: expect.any(String), name: 'Sahara' });
  const key = await json(`key create --org ${org.id}`);
  expect(key).toEqual({ id: expect.any(String), key: expect.stringMatching(/^vap_[\w-]{32}$/) });
  const { status } = await api.ask('/api/agents', { as: { ...org, maxConcurrency: 10, key: key.key } });
  expect(status).toBe(200);
});

test('an organisation has ten lines unless told otherwise', async () => {
  const few = await json('org create --name Few');
  const many = await json('org create --name Many --max-concurrency 40');
  const lines = async (id: string) =>
    (await api.db('clients').where({ id }).first('max_concurrency')).max_concurrency;
  expect([await lines(few.id), await lines(many.id)]).toEqual([10, 40]);
});

test('a signing secret is shown once and stored encrypted; two are valid at once', async () => {
  const first = await json(`secret create --org ${api.client.id}`);
  const second = await json(`secret create --org ${api.client.id}`);
  expect(first).toEqual({ id: expect.any(String), secret: expect.stringMatching(/^whsec_/) });
  expect(Buffer.from(first.secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  const secrets = await activeSecrets(api.db, api.client.id, api.secretsKey, Date.now());
  expect([...secrets].sort()).toEqual([first.secret, second.secret].sort());
  const [row] = await api.db('signing_secrets').where({ id: first.id });
  expect(row.secret_encrypted.toString('latin1')).not.toContain('whsec_');
});

test('a secret cannot be read with another key', async () => {
  await json(`secret create --org ${api.stranger.id}`);
  await expect(activeSecrets(api.db, api.stranger.id, Buffer.alloc(32), Date.now())).rejects.toThrow();
});

test('without --json the answer is text for people', async () => {
  expect(await admin('org create --name Readable')).toMatch(
    /^Created Readable, with at most 10 calls at once\.\nId: /,
  );
});

test.each([
  ['org remove', 'There is no command "org remove"'],
  ['org create', '--name is missing'],
  ['org create --name X --max-concurrency 0', '--max-concurrency must be a whole number from 1'],
  ['key create', '--org is missing'],
  ['key create --org 7', '--org must be the id'],
  ['key create --colour red', "Unknown option '--colour'"],
])('%s is refused with what to type', (line, message) => {
  expect(() => readCommandLine(line.split(' '))).toThrow(UsageError);
  expect(() => readCommandLine(line.split(' '))).toThrow(message);
});

test.each(['key', 'secret'])('a %s for an organisation that does not exist is refused', async (noun) => {
  await expect(admin(`${noun} create --org ${randomUUID()}`)).rejects.toThrow('There is no organisation');
});

test.each(['', '--help', 'help', 'org create --help'])('%j explains the commands', (line) => {
  expect(readCommandLine(line === '' ? [] : line.split(' '))).toEqual({ kind: 'help' });
});
