/** Sends every operation of the document while Postgres or Temporal is unreachable, and afterwards. */
import { published } from '../servers/published';
import { newEstate, type Estate } from './support/estate';
import { Gate, type GateState } from './support/gate';
import { answerChecker, type CheckAnswer } from './support/openapi-answers';
import { operationsOf, type Operation } from './support/operations';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type Answer, type TestApi } from './support/test-api';
import { validRequest } from './support/valid-request';

jest.setTimeout(180_000);

let api: TestApi;
let gate: Gate;
let operations: Operation[];
let check: CheckAnswer;
let estate: Estate;

beforeAll(async () => {
  const postgres = new URL(published('TEST_POSTGRES_URL'));
  gate = await Gate.open({ host: postgres.hostname, port: Number(postgres.port) });
  api = await openTestApi({ databaseUrl: throughGate });
  const document = (await api.ask('/api/openapi.json')).body;
  operations = operationsOf(document);
  check = answerChecker(document);
  estate = await newEstate(api, api.organization, { name: 'Zubeida', firstNumber: '9876543200' });
});
afterAll(async () => {
  await gate.close();
  await api.close();
});

function throughGate(real: string): string {
  const url = new URL(real);
  url.hostname = gate.address.host;
  url.port = String(gate.address.port);
  return url.toString();
}

const ask = (operation: Operation): Promise<Answer> => api.ask(...validRequest(operation, estate));

interface Asked {
  operation: Operation;
  answer: Answer;
}

async function asked(operation: Operation): Promise<Asked> {
  return { operation, answer: await ask(operation) };
}

/** Returns what is wrong with these responses if the service must return 503. */
function faultsOf(all: Asked[]): string[] {
  return all.flatMap(({ operation: { name, method, path }, answer }) => {
    const { status, text, body, headers } = answer;
    const code = body?.code ?? body?.error ?? body?.detail?.code;
    const faults = check(method, path, status, headers.get('content-type'), body);
    if (status !== 503 || code !== 'SERVICE_UNAVAILABLE') faults.push(`${status} ${text}`);
    if (headers.get('retry-after') === null) faults.push('no Retry-After');
    return faults.map((fault) => `${name}: ${fault}`);
  });
}

/** Sends requests until everything works again. Only the test's timeout limits this. */
async function recovered(): Promise<void> {
  const reading = operations.filter(({ method }) => method === 'GET');
  for (;;) {
    const answers = await Promise.all(reading.map(ask));
    if (answers.every(({ status }) => status < 500)) return;
  }
}

describe.each<[string, GateState]>([
  ['refuses connections', 'shut'],
  ['falls silent with connections open', 'silent'],
])('with a Postgres that %s, the API', (_title, state) => {
  test('returns 503 on every operation and recovers without a restart', async () => {
    await recovered();
    const [before, files] = [await tableHashes(api.db), await api.storedFiles()];
    await gate.set(state);
    const together = await Promise.all(operations.map(asked));
    // Also send requests one after another, so that each finds the pool as the previous one left it.
    const lanes = [0, 1, 2, 3].map(async (lane) => {
      const inTurn: Asked[] = [];
      for (const operation of operations.filter((_each, index) => index % 4 === lane).slice(0, 3)) {
        inTurn.push(await asked(operation));
      }
      return inTurn;
    });
    const inTurns = (await Promise.all(lanes)).flat();
    expect(faultsOf([...together, ...inTurns])).toEqual([]);
    expect(await tableHashes(api.db)).toEqual(before);
    expect(await api.storedFiles()).toEqual(files);
    await gate.set('open');
    await recovered();
  });
});

test("returns 503 for each request that arrives while Postgres doesn't respond", async () => {
  await recovered();
  const reading = operations.filter(({ method }) => method === 'GET');
  const pending: Promise<Asked>[] = [];
  await gate.set('silent');
  // Send a few at a time for longer than the first ones take, so that later ones queue behind them for connections.
  for (let wave = 0; wave < 20; wave += 1) {
    pending.push(...[0, 1, 2].map((n) => asked(reading[(wave * 3 + n) % reading.length] as Operation)));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(faultsOf(await Promise.all(pending))).toEqual([]);
  await gate.set('open');
  await recovered();
});

test('returns 503 or the normal response when Postgres closes connections during requests', async () => {
  await recovered();
  // The API rejects a repetition of these: a third valid secret, and the end of a session that has ended.
  const once = ['POST /api/webhook-secrets/rotate', 'POST /api/keys/sessions/{session_id}/end'];
  const repeatable = operations.filter(({ method, name }) => method !== 'DELETE' && !once.includes(name));
  const statuses = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const answers = repeatable.map(ask);
    await api.db.raw(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = 'test' and client_port is not null",
    );
    for (const { status } of await Promise.all(answers)) statuses.add(status);
  }
  await recovered();
  expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(statuses.has(200)).toBe(true);
});

test('returns 503 only for requests that start a workflow while Temporal is unreachable, and rolls these back', async () => {
  await recovered();
  const refused: string[] = [];
  api.temporal.unreachable = true;
  for (const operation of operations) {
    // A version stays marked as used even if the call couldn't start. As a result it is only kept for longer.
    await api.db('agent_versions').update({ used: true });
    const [before, files] = [await tableHashes(api.db), await api.storedFiles()];
    const { answer } = await asked(operation);
    if (answer.status === 503) {
      refused.push(operation.name);
      expect([operation.name, await tableHashes(api.db)]).toEqual([operation.name, before]);
      expect(await api.storedFiles()).toEqual(files);
    } else expect([operation.name, answer.status < 400]).toEqual([operation.name, true]);
  }
  api.temporal.unreachable = false;
  // This operation needs a LiveKit server, which isn't available here.
  const listening = 'POST /api/calls/{call_id}/listen';
  expect(refused.sort()).toEqual([listening, 'POST /api/campaigns/create', 'POST /api/trigger-call/']);
});
