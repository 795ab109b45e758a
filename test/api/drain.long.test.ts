/** Sends SIGTERM to the real process with every kind of connection open. */
import { connect } from 'node:net';
import { once } from 'node:events';
import knexFactory, { type Knex } from 'knex';
import { onlyKey } from '../../db/kernel/secrets-keys';
import { insertOrganization } from '../../db/organizations/organizations';
import { issueApiKey } from '../../db/organizations/api-keys';
import { captionsUrl } from '../../api/calls/live-captions/url';
import { createTestDatabase, type TestDatabase } from '../servers/database';
import { CaptionListener } from './support/caption-listener';
import { RawConnection } from './support/raw-connection';
import { environmentFor, startBuilt, type Started } from './support/started-process';

/** Finds statements of the API that wait for a lock. */
const STATEMENT_WAITS = `select 1 from pg_stat_activity where application_name = 'api' and wait_event_type = 'Lock'
  and datname = current_database()`;

/** Processes start slowly when many start concurrently. */
jest.setTimeout(120_000);

let database: TestDatabase;
let db: Knex;
let key: string;
let api: Started;
let port: number;

beforeAll(async () => {
  database = await createTestDatabase();
  db = knexFactory({ client: 'pg', connection: database.url });
  const organization = await insertOrganization(db, { name: 'Sahara', maxConcurrency: 2 });
  ({ key } = await issueApiKey(db, organization.id));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  api = startBuilt('main.js', [], environmentFor(database.url));
  port = await api.port();
});
afterEach(() => api.child.kill('SIGKILL'));

const open = () => RawConnection.open(port);
const headOf = (request: string, ...headers: string[]): string =>
  [`${request} HTTP/1.1`, 'Host: x', `X-API-Key: ${key}`, ...headers, '', ''].join('\r\n');

/** Sends SIGTERM and waits until the process accepts no more connections. */
async function terminated(): Promise<void> {
  api.child.kill('SIGTERM');
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const refused = await Promise.race([
      once(socket, 'connect').then(() => false),
      once(socket, 'error').then(() => true),
    ]).catch(() => true);
    socket.destroy();
    if (refused) return;
  }
}

async function untilRow(sql: string): Promise<void> {
  for (;;) if ((await db.raw<{ rows: unknown[] }>(sql)).rows.length > 0) return;
}

/** Starts a request that waits for a Postgres lock until the lock is released. */
async function heldRequest(): Promise<{ connection: RawConnection; letGo: () => Promise<unknown> }> {
  const lock = await db.transaction();
  await lock.raw('lock table agents in access exclusive mode');
  const connection = await open();
  connection.write(headOf('GET /api/agents'));
  await untilRow(STATEMENT_WAITS);
  return { connection, letGo: () => lock.rollback() };
}

test('finishes a request in flight, closes its connection, refuses new connections and exits with 0', async () => {
  const { connection, letGo } = await heldRequest();
  await terminated();
  await letGo();
  const answer = await connection.answer();
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  await connection.closed;
  expect(await api.end).toBe(0);
});

test('closes all idle connections after the last response', async () => {
  const idle = await open();
  idle.write(headOf('GET /healthz'));
  expect(await idle.answer()).toMatch(/\r\nconnection: keep-alive\r\n/i);
  const silent = await open();
  const beginning = await open();
  beginning.write('GET /healthz HTT');
  const { connection, letGo } = await heldRequest();
  await terminated();
  await letGo();
  await connection.answer();
  // Without draining, these connections would stay open beyond the test's timeout.
  await Promise.all([idle, silent, beginning, connection].map((each) => each.closed));
  expect(await api.end).toBe(0);
});

test('finishes a response that promised keep-alive, then closes its connection', async () => {
  const reader = await open();
  reader.socket.pause();
  reader.write(headOf('GET /api/docs/swagger-ui-bundle.js'));
  // The response is larger than the buffers on the way, so the rest hasn't been sent yet.
  await once(reader.socket, 'readable');
  await terminated();
  reader.socket.resume();
  const isWhole = (text: string) => text.endsWith('\r\n0\r\n\r\n');
  expect(await reader.until(isWhole)).toMatch(/\r\nconnection: keep-alive\r\n/i);
  await reader.closed;
  expect(await api.end).toBe(0);
});

test('finishes receiving a half-sent body after SIGTERM', async () => {
  const body = JSON.stringify({ agent_display_name: 'Sent in two halves' });
  const upload = await open();
  upload.write(
    headOf('POST /api/create-agent', 'Content-Type: application/json', `Content-Length: ${body.length}`),
  );
  upload.write(body.slice(0, 10));
  // The key has been looked up, so the request has reached the app.
  await untilRow('select 1 from api_keys where last_used_at is not null');
  await terminated();
  upload.write(body.slice(10));
  expect(await upload.answer()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(await api.end).toBe(0);
  expect(await db('agents').where({ display_name: 'Sent in two halves' }).pluck('archived')).toEqual([false]);
});

test('finishes receiving a half-uploaded contact file after SIGTERM', async () => {
  const part = (name: string, value: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const fields: Record<string, string> = {
    campaign_name: 'November',
    agent_id: 'nobody',
    concurrency: '1',
    from_date: '2098-01-01',
    to_date: '2099-01-01',
    start_time: '04:00',
    end_time: '10:00',
    days_of_week: 'monday',
  };
  const form = `${Object.entries(fields)
    .map(([name, value]) => part(name, value))
    .join('')}${part(
    'csv_file',
    `name,phone_number\n${'Asha,9876543210\n'.repeat(5000)}`,
    '; filename="contacts.csv"',
  )}--b--\r\n`;
  const upload = await open();
  await db('api_keys').update({ last_used_at: null });
  upload.write(
    headOf(
      'POST /api/campaigns/create',
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${form.length}`,
    ),
  );
  upload.write(form.slice(0, 40_000));
  await untilRow('select 1 from api_keys where last_used_at is not null');
  await terminated();
  upload.write(form.slice(40_000));
  // The agent is looked up only after the whole form was read.
  expect(await upload.answer()).toContain('"code":"AGENT_NOT_FOUND"');
  expect(await api.end).toBe(0);
});

test('makes a listener to live captions reconnect, without delaying the exit', async () => {
  const url = `http://127.0.0.1:${port}`;
  const created = await fetch(`${url}/api/create-agent`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ agent_display_name: 'Asha', config: {} }),
  });
  const { agent_id, client_id } = (await created.json()) as { agent_id: string; client_id: string };
  const call_id = 'outbound-1-listened-to';
  await db('calls').insert({
    call_id,
    organization_id: client_id,
    agent_id,
    agent_version: 1,
    call_type: 'Outbound',
    direction: 'Outbound',
    accepted_at: new Date(),
  });
  const listener = await CaptionListener.open(
    captionsUrl({ publicUrl: url, secretsKeys: onlyKey(Buffer.alloc(32, 1)) }, call_id, Date.now()),
  );
  api.child.kill('SIGTERM');
  expect(await listener.closed).toEqual({ code: 1012, reason: 'restart' });
  expect(await api.end).toBe(0);
});
