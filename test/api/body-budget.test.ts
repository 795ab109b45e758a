/** The memory and disk space that all request bodies share. */
import { mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../dev/remove-folder';
import { removeLeftUploads } from '../../api/http/input/uploads';
import { campaignForm, newAgent, withFile } from './support/rows';
import { RawConnection } from './support/raw-connection';
import { openTestApi, type TestApi, type TestOrganization } from './support/test-api';

jest.setTimeout(60_000);

const MIB = 1024 * 1024;
/** An organization may hold 2 MiB of this budget, and a network without a key 32 KiB. */
const BUDGET = 8 * MIB;

let api: TestApi;
let uploadFolder: string;

beforeAll(async () => {
  uploadFolder = await mkdtemp(join(tmpdir(), 'uploads-'));
  api = await openTestApi({ settings: { bodyBufferBytes: BUDGET, uploadFolder } });
});
afterAll(async () => {
  await api.close();
  await removeFolder(uploadFolder);
});

const isAnswered = (text: string): boolean => /^HTTP\/1\.1 \d+ [^]*\r\n\r\n/.test(text);

/** Opens requests whose bodies stop arriving, and waits for the API to reject some. */
async function stalled(count: number, head: string[], beginning: string) {
  const port = Number(new URL(api.url).port);
  const connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(port)));
  for (const connection of connections) connection.write([...head, 'Host: x', '', beginning].join('\r\n'));
  return {
    /** Waits until at most this many requests are unanswered. */
    async untilHeld(max: number): Promise<string[]> {
      const answered = connections.map((connection) => connection.until(isAnswered));
      const refusals: string[] = [];
      await new Promise<void>((resolve) => {
        for (const answer of answered)
          answer.then(
            (text) => {
              refusals.push(text);
              if (refusals.length === count - max) resolve();
            },
            // The test has closed the connection.
            () => undefined,
          );
      });
      return refusals;
    },
    async end() {
      for (const { socket } of connections) socket.destroy();
      await Promise.all(connections.map(({ closed }) => closed));
    },
  };
}

const jsonHead = ({ key }: TestOrganization): string[] => [
  'POST /api/create-agent HTTP/1.1',
  `X-API-Key: ${key}`,
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
];

const isRefusal = (text: string): boolean => /^HTTP\/1\.1 503 [^]*retry-after: 5\r/i.test(text);

test("limits an organization's stalled bodies to its share, and still reads another organization's body", async () => {
  const as = await api.newOrganization();
  const bodies = await stalled(100, jsonHead(as), `1000\r\n${' '.repeat(4096)}\r\n`);
  const refusals = await bodies.untilHeld(BUDGET / 4 / MIB);
  expect(refusals.filter(isRefusal)).toHaveLength(98);
  expect((await api.ask('/api/create-agent', { json: {}, as })).status).toBe(503);
  expect((await api.ask('/api/agents', { as })).status).toBe(200);
  const json = { agent_display_name: 'Of another' };
  const other = await api.ask('/api/create-agent', { json, as: api.stranger });
  expect(other.status).toBe(200);
  await bodies.end();
});

test('rejects a sign-in beyond 4 KiB', async () => {
  const { status, body } = await api.ask('/api/console/session', {
    json: { api_key: 'x'.repeat(5_000) },
    as: null,
  });
  expect([status, body.detail.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
});

test("limits a network's stalled sign-ins to its share, and still reads requests with a key", async () => {
  const bodies = await stalled(
    100,
    ['POST /api/console/session HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
    '1\r\n{\r\n',
  );
  expect((await bodies.untilHeld(BUDGET / 256 / 4096)).filter(isRefusal)).toHaveLength(92);
  expect((await api.ask('/api/create-agent', { json: { agent_display_name: 'A' } })).status).toBe(200);
  await bodies.end();
});

test('releases the share of a request when its connection closes', async () => {
  const head = jsonHead(await api.newOrganization());
  const first = await stalled(3, head, '1\r\n{\r\n');
  await first.untilHeld(2);
  await first.end();
  const second = await stalled(3, head, '1\r\n{\r\n');
  await second.untilHeld(2);
  await second.end();
});

describe('a body that stalls', () => {
  let slow: TestApi;
  beforeAll(async () => {
    slow = await openTestApi({ bodies: { windowMs: 100 }, settings: { uploadFolder } });
  });
  afterAll(() => slow.close());

  test.each<[string, string[], string]>([
    ['of JSON', ['POST /api/create-agent', 'Content-Type: application/json'], '{'],
    ['of a form', ['POST /api/campaigns/create', 'Content-Type: multipart/form-data; boundary=x'], '--x'],
    [
      'in the middle of a file',
      ['POST /api/campaigns/create', 'Content-Type: multipart/form-data; boundary=x'],
      '--x\r\nContent-Disposition: form-data; name="csv_file"; filename="a.csv"\r\n\r\nname,phone',
    ],
  ])(
    'returns 408 for a stalled body and leaves no file: %s',
    async (_title, [request = '', type = ''], beginning) => {
      const connection = await RawConnection.open(Number(new URL(slow.url).port));
      const head = [`${request} HTTP/1.1`, 'Host: x', `X-API-Key: ${slow.organization.key}`, type];
      connection.write([...head, 'Content-Length: 100000', '', beginning].join('\r\n'));
      expect(await connection.until(isAnswered)).toMatch(/^HTTP\/1\.1 408 [^]*REQUEST_TIMEOUT/);
      await connection.closed;
      expect(await readdir(uploadFolder)).toEqual([]);
    },
  );
});

describe('an uploaded file', () => {
  const file = `name,phone_number\n${Array.from({ length: 4_000 }, (_none, at) => `Asha,98765${String(at + 10_000)}`).join('\n')}`;
  const create = async (form: FormData) => (await api.ask('/api/campaigns/create', { body: form })).status;

  test.each<[string, (agentId: string) => FormData, number]>([
    ['was accepted', (agentId) => withFile(campaignForm(agentId), file), 201],
    ['was rejected', (agentId) => withFile(campaignForm(agentId), `${file}\nAsha,none`), 400],
    ['came with wrong fields', (agentId) => withFile(campaignForm(agentId, { concurrency: 'x' }), file), 422],
    ['was too large', (agentId) => withFile(campaignForm(agentId), 'x'.repeat(11 * MIB)), 413],
  ])('deletes an uploaded file from the disk if it %s', async (_title, form, expected) => {
    expect(await create(form(await newAgent(api)))).toBe(expected);
    expect(await readdir(uploadFolder)).toEqual([]);
  });

  test('deletes an uploaded file from the disk when its connection closes', async () => {
    const connection = await RawConnection.open(Number(new URL(api.url).port));
    const part = 'Content-Disposition: form-data; name="csv_file"; filename="a.csv"';
    connection.write(
      [
        'POST /api/campaigns/create HTTP/1.1',
        'Host: x',
        `X-API-Key: ${api.organization.key}`,
        'Content-Type: multipart/form-data; boundary=x',
        'Content-Length: 100000',
        '',
        `--x\r\n${part}\r\n\r\nname,phone`,
      ].join('\r\n'),
    );
    const files = () => readdir(uploadFolder);
    while ((await files()).length === 0);
    connection.socket.destroy();
    while ((await files()).length > 0);
  });

  test('deletes the uploads of a killed process at the next start', async () => {
    const name = (host: string, pid: number) => [host, pid, 'a'].join('_');
    // Higher than any process id that the system assigns.
    const left = name(hostname(), 2 ** 30);
    const living = name(hostname(), process.ppid);
    const old = name('another-machine', 1);
    const recent = name('another-machine', 2);
    for (const one of [left, living, old, recent]) await writeFile(join(uploadFolder, one), 'x');
    await utimes(join(uploadFolder, old), 0, 0);
    await removeLeftUploads(uploadFolder);
    expect((await readdir(uploadFolder)).sort()).toEqual([living, recent].sort());
  });
});
