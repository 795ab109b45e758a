/** Every operation of the document while Postgres or Temporal is away, and after. */
import { published } from '../servers/published';
import { newEstate, type Estate } from './support/estate';
import { Gate, type GateState } from './support/gate';
import { answerChecker, type CheckAnswer } from './support/openapi-answers';
import { operationsOf, type Operation } from './support/operations';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type Answer, type TestApi } from './support/test-api';
import { validRequest } from './support/valid-request';

jest.setTimeout(60_000);

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
  estate = await newEstate(api, api.client, { name: 'Zubeida', firstNumber: '9876543200' });
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

/** What is wrong with them as answers of a service that is away. */
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

/** Asks until nothing is missing any more; the test's own time is the limit. */
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
])('Postgres that %s', (_title, state) => {
  test('is a 503 on every operation, and is back without a restart', async () => {
    await recovered();
    const [before, files] = [await tableHashes(api.db), await api.storedFiles()];
    await gate.set(state);
    const together = await Promise.all(operations.map(asked));
    // One after the other besides, so that they meet the pool in whatever state the others have left it.
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

test('Postgres that falls silent while requests keep coming is a 503 for each of them', async () => {
  await recovered();
  const reading = operations.filter(({ method }) => method === 'GET');
  const pending: Promise<Asked>[] = [];
  await gate.set('silent');
  // A few at a time for as long as the first of them last and longer: later ones wait behind them for connections.
  for (let wave = 0; wave < 20; wave += 1) {
    pending.push(...[0, 1, 2].map((n) => asked(reading[(wave * 3 + n) % reading.length] as Operation)));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(faultsOf(await Promise.all(pending))).toEqual([]);
  await gate.set('open');
  await recovered();
});

test('connections that Postgres cuts under requests are a 503 or no matter, never another fault', async () => {
  await recovered();
  // A third secret beside two valid ones is refused, and so is the end of a session that has ended.
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

test('Temporal that is away is a 503 where a call is to start, and no hindrance elsewhere; a 503 leaves nothing behind', async () => {
  await recovered();
  const refused: string[] = [];
  api.temporal.away = true;
  for (const operation of operations) {
    // A version stays marked as used once a call was to run with it, whatever becomes of the call: it is kept for longer then.
    await api.db('agent_versions').update({ used: true });
    const [before, files] = [await tableHashes(api.db), await api.storedFiles()];
    const { answer } = await asked(operation);
    if (answer.status === 503) {
      refused.push(operation.name);
      expect([operation.name, await tableHashes(api.db)]).toEqual([operation.name, before]);
      expect(await api.storedFiles()).toEqual(files);
    } else expect([operation.name, answer.status < 400]).toEqual([operation.name, true]);
  }
  api.temporal.away = false;
  // Nor is there a LiveKit here that could be listened to.
  const listening = 'POST /api/calls/{call_id}/listen';
  expect(refused.sort()).toEqual([listening, 'POST /api/campaigns/create', 'POST /api/trigger-call/']);
});
