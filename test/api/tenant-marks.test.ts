/**
 * Two organizations write each other's marks into every free text. No search, filter, report or export of one may show data of the other.
 */
import { idsOf, newEstate, type Estate } from './support/estate';
import { namesInPath, operationsOf, parametersIn, pathOf, type Operation } from './support/operations';
import { marksOf, plantMarks, secretOf } from './support/planted-marks';
import { openTestApi, type Answer, type TestApi } from './support/test-api';

/** Parameters that filter a list by an id or a number. */
const BY_ID = ['agent_id', 'campaign_id', 'call_id', 'subject_id', 'actor_id', 'phone_number'];
/** Other parameters, with values that change the result. */
const NARROWING: Readonly<Record<string, readonly string[]>> = {
  status: ['completed', 'failed', 'User disconnected'],
  state: ['pending'],
  format: ['csv', 'text'],
  action: ['agent.create'],
};
const PATH_IDS = {
  agent_id: 'agents',
  campaign_id: 'campaigns',
  call_id: 'calls',
  delivery_id: 'deliveries',
  key_id: 'keys',
  session_id: 'sessions',
  name: 'profiles',
} as const;
const VARYING = new Set(['date', 'x-request-id']);

jest.setTimeout(240_000);

let api: TestApi;
let reading: Operation[];
let zubeida: Estate;
let quentin: Estate;
/** Every URL that an organization reads, with each mark of both organizations in every parameter that accepts one. */
let addresses: Map<Estate, string[]>;
let before: Map<string, string>;
/** The responses after each organization has written the marks of the other. */
let after: Map<Estate, Map<string, string>>;

beforeAll(async () => {
  api = await openTestApi();
  zubeida = await newEstate(api, api.organization, { name: 'Zubeida', firstNumber: '9876543200' });
  quentin = await newEstate(api, api.stranger, { name: 'Quentin', firstNumber: '9812345600' });
  reading = operationsOf((await api.ask('/api/openapi.json')).body).filter(({ method }) => method === 'GET');
  addresses = new Map([zubeida, quentin].map((estate) => [estate, addressesOf(estate)]));
  await plantMarks(api, zubeida, quentin);
  before = await answersTo(zubeida);
  await plantMarks(api, quentin, zubeida);
  after = new Map([
    [zubeida, await answersTo(zubeida)],
    [quentin, await answersTo(quentin)],
  ]);
});
afterAll(() => api.close());

function addressesOf(estate: Estate): string[] {
  const words = [zubeida, quentin].flatMap((each) => [
    ...marksOf(each),
    `${each.marks.name} ${each.owner.id}`,
    secretOf(each),
    `+91${each.marks.firstNumber}`,
  ]);
  const ids = [zubeida, quentin].flatMap(({ owner, agents, campaigns, calls, marks }) => [
    owner.id,
    agents.running,
    campaigns.active,
    calls.ofCampaign,
    `+91${marks.firstNumber}`,
  ]);
  return reading.flatMap((operation) => {
    const queries = parametersIn(operation, 'query').flatMap(({ name }) => {
      const values = name === 'search' ? words : BY_ID.includes(name) ? ids : (NARROWING[name] ?? []);
      return values.map((value) => `?page=1&${name}=${encodeURIComponent(value)}`);
    });
    return pathsOf(operation, estate).flatMap((path) => ['', ...queries].map((query) => path + query));
  });
}

/** Uses only the organization's own ids, because the matrix of ids covers foreign ones. */
function pathsOf(operation: Operation, estate: Estate): string[] {
  const [name] = namesInPath(operation);
  if (name === undefined) return [operation.path];
  const kind = PATH_IDS[name as keyof typeof PATH_IDS];
  const [id = ''] = Object.values<string>(estate[kind]);
  return [pathOf(operation, { [name]: id })];
}

async function answersTo(estate: Estate): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const path of addresses.get(estate) ?? []) {
    answers.set(
      path,
      bytesOf(await api.ask(path, { as: estate.owner, headers: { 'X-Request-Id': 'the-same' } })),
    );
  }
  return answers;
}

const bytesOf = ({ status, headers, text }: Answer): string =>
  [
    status,
    ...[...headers]
      .filter(([name]) => !VARYING.has(name))
      .map(String)
      .sort(),
    text,
  ].join('\n');

test("returns the same at every URL after another organization has written this organization's marks into its texts", () => {
  const answers = [...(after.get(zubeida) ?? [])];
  expect(answers.filter(([path, answer]) => answer !== before.get(path)).map(([path]) => path)).toEqual([]);
  expect(answers.length).toBeGreaterThan(300);
});

test('shows no word, number or row of the other organization at any URL', async () => {
  for (const [one, other] of [
    [zubeida, quentin],
    [quentin, zubeida],
  ] as const) {
    const hidden = [secretOf(other), other.marks.firstNumber.slice(0, 8), ...(await rowsOf(other))];
    const faults: string[] = [];
    for (const [path, answer] of after.get(one) ?? []) {
      const text = answer.toLowerCase();
      // An error may repeat the word that was searched for.
      const shown = hidden.filter((word) => text.includes(word) && !decodeURIComponent(path).includes(word));
      if (shown.length > 0) faults.push(`${path} shows ${shown.join(', ')}`);
    }
    expect(faults).toEqual([]);
  }
});

/** Returns ids of the planted rows, which occur in no text. */
async function rowsOf({ owner, ...estate }: Estate): Promise<string[]> {
  const planted = new Set(Object.values(idsOf({ owner, ...estate })));
  const found = await api.db.raw(
    `select call_id as id from calls where organization_id = :id union all select id::text from agents where organization_id = :id
     union all select id::text from campaigns where organization_id = :id
     union all select id::text from webhook_deliveries where organization_id = :id`,
    { id: owner.id },
  );
  return found.rows.map((row: { id: string }) => row.id).filter((id: string) => !planted.has(id));
}

test("finds an organization's own rows that contain another organization's planted text", async () => {
  for (const [one, other] of [
    [zubeida, quentin],
    [quentin, zubeida],
  ] as const) {
    const total = async (path: string): Promise<number> => {
      const { body } = await api.ask(path, { as: one.owner });
      return body.pagination.total_count;
    };
    const search = encodeURIComponent(`organization${other.owner.id.replaceAll('-', '')}`);
    for (const list of ['/api/call-history', '/api/agents', '/api/contacts'])
      expect({ list, total: await total(`${list}?page=1&search=${search}`) }).not.toEqual({ list, total: 0 });
  }
});
