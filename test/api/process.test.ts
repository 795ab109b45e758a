import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../servers/database';
import { environmentFor, startBuilt, type Started } from './support/started-process';

/** Processes start slowly when many start concurrently. */
jest.setTimeout(120_000);

let database: TestDatabase;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  database = await createTestDatabase();
  environment = environmentFor(database.url);
});
afterAll(() => database.drop());

const start = (file: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Started =>
  startBuilt(file, args, { ...environment, ...env });

describe('the API process', () => {
  test('serves requests while Temporal is unreachable, and reports that in /readyz', async () => {
    const api = start('main.js');
    const port = await api.port();
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', carrier_events: 'ok', temporal: 'unreachable' },
    ]);
    api.child.kill('SIGTERM');
    expect(await api.end).toBe(0);
  });

  test('stops with the process that started it', async () => {
    const api = start('main.js');
    await api.port();
    api.child.disconnect();
    expect(await api.end).toBe(0);
  });

  test('reports in one line that its port is in use', async () => {
    const holder: Server = createServer();
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const taken = String(typeof address === 'object' ? address?.port : '');
    const api = start('main.js', [], { PORT: taken });
    expect(await api.end).toBe(1);
    holder.close();
    expect(api.output.trim()).toBe(`Port ${taken} is already in use. Set PORT to a free port`);
  });

  test('names every missing variable', async () => {
    const api = start('main.js', [], { DATABASE_URL: '', SECRETS_KEY: 'short' });
    expect(await api.end).toBe(1);
    expect(api.output).toMatch(/DATABASE_URL is required/);
    expect(api.output).toMatch(/SECRETS_KEY must be 32 bytes in base64/);
    expect(api.output).not.toContain('short');
  });
});

describe('the admin command', () => {
  test('prints one line of JSON', async () => {
    const admin = start('admin/main.js', ['org', 'create', '--name', 'Sahara', '--json']);
    expect(await admin.end).toBe(0);
    expect(JSON.parse(admin.output)).toEqual({ id: expect.any(String), name: 'Sahara' });
  });

  test("reports that Postgres doesn't respond", async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const admin = start('admin/main.js', ['org', 'create', '--name', 'Sahara'], env);
    expect(await admin.end).toBe(1);
    expect(admin.output).toContain("Postgres isn't responding. Check DATABASE_URL");
  });

  test('suggests the help after an unknown command', async () => {
    const admin = start('admin/main.js', ['org', 'destroy']);
    expect(await admin.end).toBe(1);
    expect(admin.output.trim().split('\n')).toEqual([
      'There is no command "org destroy"',
      'See: npm run admin -- --help',
    ]);
  });
});
