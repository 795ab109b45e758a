/** Sends every operation of the document with every id of another organization. Fails for a parameter that it doesn't know. */
import { randomUUID } from 'node:crypto';
import { idsOf, newEstate, type Estate } from './support/estate';
import type { Document } from './support/openapi-answers';
import {
  namesInPath,
  operationsOf,
  parametersIn,
  pathOf,
  payloadsOf,
  type Operation,
} from './support/operations';
import { tableHashes } from './support/table-hashes';
import {
  openTestApi,
  type Answer,
  type Asked,
  type TestApi,
  type TestOrganization,
} from './support/test-api';

type IdKind =
  | 'agents'
  | 'campaigns'
  | 'calls'
  | 'deliveries'
  | 'keys'
  | 'sessions'
  | 'lists'
  | 'imports'
  | 'listContacts'
  | 'profiles';
/** The part of the estate that each path parameter refers to. */
const PATH_IDS: Readonly<Record<string, IdKind>> = {
  agent_id: 'agents',
  campaign_id: 'campaigns',
  call_id: 'calls',
  delivery_id: 'deliveries',
  key_id: 'keys',
  session_id: 'sessions',
  list_id: 'lists',
  import_id: 'imports',
  contact_id: 'listContacts',
  name: 'profiles',
};
/** Query parameters that filter a list by something that belongs to an organization. */
const FILTERS = ['agent_id', 'campaign_id', 'call_id', 'search', 'phone_number', 'actor_id', 'subject_id'];
/** Other query parameters, each with valid values. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  page: ['1', '2'],
  page_size: ['1', '100'],
  published_only: ['true', 'false'],
  version: ['1'],
  status: ['active', 'paused', 'completed', 'cancelled', 'pending', 'delivered', 'failed', 'queued'],
  state: ['pending', 'completed'],
  from: ['2026-01-01'],
  to: ['2027-01-01'],
  actor_kind: ['api_key', 'operator', 'agent', 'visitor'],
  action: ['agent.create', 'campaign.pause'],
  format: ['text', 'csv', 'xlsx'],
};
const BODY_IDS = ['agent_id', 'campaign_id', 'call_id', 'contact_list_id'];
/** An organization chooses these ids itself, and a campaign's contacts are looked up only within the campaign. */
const OWN_IDS = ['external_id'];
/** None of these headers refers to anything of an organization. */
const HEADERS = ['X-Agent-Id', 'Idempotency-Key', 'Range', 'If-Range'];
/** These return numbers or states, or nothing without a search, so they never contain a name. */
const WITHOUT_NAMES = [
  'GET /api/limits',
  'GET /api/health',
  'GET /api/contacts',
  'GET /api/rules/organization-profile',
];

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const VARYING = new Set(['date', 'x-request-id']);

jest.setTimeout(120_000);

let api: TestApi;
let document: Document;
let operations: Operation[];
let theirs: Estate;
let ours: Estate;

beforeAll(async () => {
  api = await openTestApi();
  theirs = await newEstate(api, api.organization, { name: 'Zubeida', firstNumber: '9876543200' });
  ours = await newEstate(api, api.stranger, { name: 'Quentin', firstNumber: '9812345600' });
  document = (await api.ask('/api/openapi.json')).body;
  operations = operationsOf(document);
});
afterAll(() => api.close());

const ask = (path: string, asked: Asked = {}): Promise<Answer> =>
  api.ask(path, { as: ours.owner, ...asked, headers: { ...asked.headers, 'X-Request-Id': 'the-same' } });

/** Returns the whole response without the parts that differ between any two requests. */
function bytesOf({ status, headers, text }: Answer): string {
  const lines = [...headers]
    .filter(([name]) => !VARYING.has(name))
    .map(([name, value]) => `${name}: ${value}`);
  return [status, ...lines.sort(), text].join('\n');
}

/** Returns an unknown id of the same form. */
const unknownLike = (id: string): string => (UUID.test(id) ? UNKNOWN_UUID : UNKNOWN_WORD);
const UNKNOWN_UUID = randomUUID();
const UNKNOWN_WORD = 'outbound-1-nobodys';

/** These create what the path names, so every id is unknown to them. Their own tests cover foreign ids. */
const CREATES_PATH = ['PUT /api/rule-profiles/{name}'];

const inPath = () =>
  operations.filter(
    (operation) => namesInPath(operation).length > 0 && !CREATES_PATH.includes(operation.name),
  );
const inNoPath = () => operations.filter((operation) => namesInPath(operation).length === 0);

/** Returns the path with this id. Its other parameters have ids of this estate. */
function pathWith(
  operation: Operation,
  { others, ...ids }: { others: Estate } & Record<string, any>,
): string {
  const first = namesInPath(operation).map((name) => [
    name,
    Object.values<string>(others[PATH_IDS[name] as IdKind])[0] ?? '',
  ]);
  return pathOf(operation, { ...Object.fromEntries(first), ...ids });
}

/** Each operation with each parameter of its path, the last one first. */
const withParameter = (): [Operation, string][] =>
  inPath().flatMap((operation) =>
    namesInPath(operation)
      .reverse()
      .map((name) => [operation, name] as [Operation, string]),
  );

/** Returns everything that is stored in the tables, on disk and at Temporal. */
async function everything(): Promise<object> {
  const { campaigns, calls, deliveries, signals, workflowSignals } = api.temporal;
  const asked = [campaigns, calls, deliveries, signals, workflowSignals].map(({ length }) => length);
  return { tables: await tableHashes(api.db), files: await api.storedFiles(), asked };
}

test('covers every id that an operation accepts', () => {
  const unknown = operations.flatMap((operation) => [
    ...namesInPath(operation).filter((name) => !Object.hasOwn(PATH_IDS, name)),
    ...parametersIn(operation, 'query').filter(
      ({ name }) => !FILTERS.includes(name) && !Object.hasOwn(HARMLESS, name),
    ),
    ...parametersIn(operation, 'header').filter(({ name }) => !HEADERS.includes(name)),
    ...operation.bodies
      .flatMap(({ schema }) => idFields(schema))
      .filter((name) => !BODY_IDS.includes(name) && !OWN_IDS.includes(name)),
  ]);
  expect(unknown).toEqual([]);
});

function idFields(schema: any): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  // The schema of any JSON value.
  if (schema.$ref?.endsWith('/Json') === true) return [];
  if (typeof schema.$ref === 'string')
    return idFields(document.components.schemas[schema.$ref.split('/').at(-1)]);
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => /(^|_)ids?$/i.test(name) && !['voice_id', 'external_id'].includes(name),
  );
  return [...names, ...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), schema.items].flatMap(
    (part) => (typeof part === 'string' ? [part] : idFields(part)),
  );
}

test("returns the same response for another organization's id and an unknown one, and changes nothing", async () => {
  const faults: string[] = [];
  let asked = 0;
  let before = await everything();
  for (const [operation, name] of withParameter()) {
    for (const [index, { headers, ...payload }] of payloadsOf(operation).entries()) {
      const to = (id: string, query = '') =>
        ask(pathWith(operation, { others: name === 'list_id' ? theirs : ours, [name]: id }) + query, {
          ...payload,
          headers,
          method: operation.method,
        });
      const unknown = await Promise.all([UNKNOWN_UUID, UNKNOWN_WORD].map((id) => to(id)));
      const expected = new Map(
        [UNKNOWN_UUID, UNKNOWN_WORD].map((id, at) => [id, bytesOf(unknown[at] as Answer)]),
      );
      // With any other status, the request was rejected before the lookup, so the comparison would prove nothing.
      if (unknown[0]?.status !== 404) faults.push(`${operation.name} #${index}: ${unknown[0]?.text}`);
      const own = Object.values<string>(theirs[PATH_IDS[name] as IdKind]);
      const kinds = { ...idsOf(theirs), ...(name === 'contact_id' && theirs.listContacts) };
      for (const [kind, id] of Object.entries(kinds)) {
        const queries = operation.isSigned ? ['', ...Object.values(theirs.signed).map(queryOf)] : [''];
        // An id of another kind is unknown in any spelling, so one is enough.
        const spellings = UUID.test(id) && own.includes(id) ? [id, id.toUpperCase()] : [id];
        const requests = queries.flatMap((query) => spellings.map((spelling) => [spelling, query] as const));
        asked += requests.length;
        for (const answer of await Promise.all(requests.map(async (each) => bytesOf(await to(...each))))) {
          if (answer !== expected.get(unknownLike(id))) faults.push(`${operation.name} ${kind}: ${answer}`);
        }
      }
      const after = await everything();
      if (JSON.stringify(after) !== JSON.stringify(before)) faults.push(`${operation.name} wrote`);
      before = after;
    }
  }
  expect(faults).toEqual([]);
  expect(asked).toBeGreaterThanOrEqual(inPath().length * Object.keys(idsOf(theirs)).length);
});

const queryOf = (path: string): string => path.slice(path.indexOf('?'));

test("treats an organization's own archived agent as unknown", async () => {
  const faults: string[] = [];
  for (const operation of inPath().filter((each) => namesInPath(each).includes('agent_id'))) {
    for (const { headers, ...payload } of payloadsOf(operation)) {
      const [archived, unknown] = await Promise.all(
        [ours.agents.archived, UNKNOWN_UUID].map((id) =>
          ask(pathOf(operation, { agent_id: id }), { ...payload, headers, method: operation.method }),
        ),
      );
      if (bytesOf(archived as Answer) !== bytesOf(unknown as Answer)) faults.push(operation.name);
    }
  }
  expect(faults).toEqual([]);
});

test("treats another organization's agent in a body as unknown, and changes nothing", async () => {
  const { agents, slugs } = theirs;
  const taking = inNoPath().filter(({ bodies }) =>
    bodies.some(({ schema }) => idFields(schema).includes('agent_id')),
  );
  expect(taking.map(({ name }) => name)).toEqual([
    'POST /api/trigger-call/',
    'POST /api/campaigns/create',
    'POST /api/campaigns/simulate',
  ]);
  const before = await everything();
  const faults: string[] = [];
  for (const operation of taking) {
    const to = async (agent_id: string) => {
      const [{ headers = {}, ...payload } = {}] = payloadsOf(operation, { agent_id });
      return ask(operation.path, { ...payload, headers, method: operation.method });
    };
    const expected = bytesOf(await to(UNKNOWN_WORD));
    expect(expected).toMatch(/^404\n[^]*AGENT_NOT_FOUND/);
    const foreign = [...Object.values(agents), ...Object.values(slugs), agents.running.toUpperCase()];
    for (const id of [...foreign, ours.agents.archived, ours.slugs.archived, UNKNOWN_UUID]) {
      if (bytesOf(await to(id)) !== expected) faults.push(`${operation.name} ${id}`);
    }
  }
  expect(faults).toEqual([]);
  expect(await everything()).toEqual(before);
});

test("redelivers nothing when a filter contains another organization's id", async () => {
  const before = await everything();
  const { campaigns, calls } = theirs;
  const filters = [
    ...Object.values(campaigns).map((campaign_id) => ({ campaign_id })),
    ...Object.values(calls).map((call_id) => ({ call_id })),
  ];
  for (const filter of filters) {
    for (const status of ['failed', 'delivered']) {
      const { body } = await ask('/api/webhook-deliveries/redeliver', {
        method: 'POST',
        body: JSON.stringify({ ...filter, status }),
        headers: { 'Content-Type': 'application/json' },
      });
      expect(body).toEqual({ redelivered: 0, skipped: 0 });
    }
  }
  expect(filters.length).toBeGreaterThan(2);
  expect(await everything()).toEqual(before);
});

test("finds nothing when a filter contains another organization's id", async () => {
  const faults: string[] = [];
  let asked = 0;
  for (const operation of inNoPath().filter(({ method }) => method === 'GET')) {
    for (const { name } of parametersIn(operation, 'query').filter((each) => FILTERS.includes(each.name))) {
      const to = (value: string) => ask(`${operation.path}?page=1&${name}=${encodeURIComponent(value)}`);
      const unknowns = new Map<string, Answer>();
      for (const [kind, id] of Object.entries({ ...idsOf(theirs), name: theirs.marks.name })) {
        asked += 1;
        const found = await to(id);
        const unknown = unknowns.get(unknownLike(id)) ?? (await to(unknownLike(id)));
        unknowns.set(unknownLike(id), unknown);
        const isEmpty = found.status !== 200 || totalOf(found.body) === 0;
        if (!isEmpty || bytesOf(found) !== bytesOf(unknown)) faults.push(`${operation.path} ${name} ${kind}`);
      }
    }
  }
  expect(faults).toEqual([]);
  expect(asked).toBeGreaterThan(50);
});

const totalOf = (body: any): number => body.pagination.total_count ?? body.pagination.total;

test('lists no data of another organization', async () => {
  const words = ({ marks, ...estate }: Estate) => [
    ...Object.values(idsOf({ marks, ...estate })),
    marks.name,
    marks.firstNumber.slice(0, 8),
  ];
  const holds = (text: string, estate: Estate) =>
    words(estate).filter((word) => text.toLowerCase().includes(word.toLowerCase()));
  const faults: string[] = [];
  for (const operation of inNoPath().filter(({ method }) => method === 'GET')) {
    const harmless = parametersIn(operation, 'query').flatMap(({ name }) =>
      (HARMLESS[name] ?? []).map((value) => `?${name}=${value}`),
    );
    const whole = await ask(operation.path);
    const isOurs = holds(whole.text, ours).length > 0;
    if (isOurs === WITHOUT_NAMES.includes(operation.name))
      faults.push(`${operation.name} shows what is ours: ${isOurs}`);
    for (const query of ['', ...harmless]) {
      const found = holds((await ask(operation.path + query)).text, theirs);
      if (found.length > 0) faults.push(`${operation.name}${query} shows ${found.join(', ')}`);
    }
  }
  expect(faults).toEqual([]);
});

test('accepts a signed URL for its own resource only', async () => {
  const faults: string[] = [];
  const anyone = (path: string, method = 'GET') => ask(path, { as: null, method });
  for (const path of Object.values(theirs.signed)) {
    expect((await anyone(path)).status).toBe(200);
    for (const operation of operations) {
      const others = pathsOf(operation).filter(
        (other) => other !== path.split('?')[0] || operation.method !== 'GET',
      );
      const answers = await Promise.all(
        others.map((other) => anyone(other + queryOf(path), operation.method)),
      );
      for (const { status, body } of answers) {
        const code = body.code ?? body.detail.code;
        const expected = operation.isSigned ? 'INVALID_SIGNATURE' : 'MISSING_API_KEY';
        if (status !== 401 || code !== expected) faults.push(`${operation.name}: ${status} ${code}`);
      }
    }
  }
  expect(faults).toEqual([]);
});

/** Returns the operation's paths with every id if it accepts a signature, and otherwise with every id of its own kind. */
function pathsOf(operation: Operation): string[] {
  if (namesInPath(operation).length === 0) return [operation.path];
  return namesInPath(operation).flatMap((name) => {
    const ids = operation.isSigned ? idsOf(theirs) : theirs[PATH_IDS[name] as IdKind];
    return Object.values<string>(ids).map((id) => pathWith(operation, { others: theirs, [name]: id }));
  });
}

test('logs no names, no numbers and only the ids of organizations', () => {
  const lines = api.logLines();
  expect(lines.length).toBeGreaterThan(1000);
  const words = [theirs, ours].flatMap(({ marks, owner, agents, calls, deliveries }) => [
    marks.name,
    marks.firstNumber.slice(0, 8),
    owner.key,
    ...Object.values({ ...agents, ...calls, ...deliveries }),
  ]);
  expect(
    lines.filter((line) => words.some((word) => line.toLowerCase().includes(word.toLowerCase()))),
  ).toEqual([]);
});

/** Comes last because it makes changes. It proves that the ids above exist, without which the earlier tests would mean nothing. */
test("returns a different response for the owner's ids than for unknown ones", async () => {
  const faults: string[] = [];
  const takesAway = ({ method, path }: Operation): number =>
    Number(method === 'DELETE' || path === '/api/keys/{key_id}/sessions/end');
  const archivingLast = withParameter().sort(([a], [b]) => takesAway(a) - takesAway(b));
  for (const [operation, name] of archivingLast) {
    const kind = PATH_IDS[name] as IdKind;
    for (const [state, id] of Object.entries(theirs[kind])) {
      const [{ headers = {}, ...payload } = {}] = payloadsOf(operation);
      const to = (value: string, as: TestOrganization) =>
        ask(pathWith(operation, { others: theirs, [name]: value }), {
          ...payload,
          headers,
          method: operation.method,
          as,
        });
      const isFound = bytesOf(await to(id, theirs.owner)) !== bytesOf(await to(UNKNOWN_UUID, theirs.owner));
      if (isFound === (state === 'archived')) faults.push(`${operation.name} ${kind} ${state}`);
    }
  }
  expect(faults).toEqual([]);
});
