/** Runs the real process with Temporal's real client, while Temporal's address accepts connections but never responds. */
import { newEstate, type Estate } from './support/estate';
import { Gate } from './support/gate';
import { operationsOf, type Operation } from './support/operations';
import { environmentFor, startBuilt, type Started } from './support/started-process';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type TestApi } from './support/test-api';
import { validRequest } from './support/valid-request';

const STARTING = ['POST /api/trigger-call/', 'POST /api/campaigns/create'];

jest.setTimeout(60_000);

/** Used to create rows and to read the database. */
let api: TestApi;
let estate: Estate;
let operations: Operation[];
let silent: Gate;
let started: Started;
let url: string;

beforeAll(async () => {
  let databaseUrl = '';
  api = await openTestApi({ databaseUrl: (real) => (databaseUrl = real) });
  estate = await newEstate(api, api.organization, { name: 'Zubeida', firstNumber: '9876543200' });
  // The process uses the real clock, so the estate's session would already have expired.
  await api.db('console_tokens').update({ expires_at: new Date(Date.now() + 3_600_000) });
  operations = operationsOf((await api.ask('/api/openapi.json')).body);
  silent = await Gate.open({ host: '127.0.0.1', port: 1 });
  await silent.set('silent');
  const temporal = `${silent.address.host}:${silent.address.port}`;
  started = startBuilt('main.js', [], {
    ...environmentFor(databaseUrl),
    TEMPORAL_ADDRESS: temporal,
    // Unlimited, because a counted request would write a row.
    RATE_LIMIT_DISPATCH_PER_MIN: '0',
    RATE_LIMIT_PER_MIN: '0',
  });
  url = `http://127.0.0.1:${await started.port()}`;
  // Mark the key as just used, so that the tests' requests don't record their use.
  await fetch(`${url}/api/agents`, { headers: { 'X-API-Key': api.organization.key } });
});
afterAll(async () => {
  started.child.kill('SIGTERM');
  expect(await started.end).toBe(0);
  await silent.close();
  await api.close();
});

async function ask(operation: Operation): Promise<{ name: string; status: number }> {
  const [path, { method = 'GET', headers, body = null }] = validRequest(operation, estate);
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, 'X-API-Key': api.organization.key },
    body,
  });
  await response.text();
  return { name: operation.name, status: response.status };
}

test.each(STARTING)('returns 503 and leaves no row: %s', async (name) => {
  const operation = operations.find((each) => each.name === name);
  const before = await tableHashes(api.db);
  const { status } = await ask(operation as Operation);
  expect(status).toBe(503);
  expect(await tableHashes(api.db)).toEqual(before);
});

test('responds to every other operation as usual', async () => {
  const others = operations.filter(({ name }) => !STARTING.includes(name));
  const asked: Awaited<ReturnType<typeof ask>>[] = [];
  for (const operation of others) asked.push(await ask(operation));
  // Contact files and recordings are on the disk of the other API.
  const isOnDisk = (name: string) =>
    /\/(file|skipped\.csv)$/.test(name) || name.startsWith('GET /api/stream/');
  const needsLivekit = (name: string) => name.endsWith('/listen');
  const failed = asked.filter(({ name, status }) => status >= 400 && !isOnDisk(name) && !needsLivekit(name));
  expect(failed).toEqual([]);
});
