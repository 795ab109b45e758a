/** Idempotency keys over HTTP. idempotent-run.test.ts covers crashes and races. */
import { randomUUID } from 'node:crypto';
import { CONTACTS, campaignForm, countOf, newAgent, withFile } from './support/rows';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';
import { fingerprintOf, idempotencyKey } from '../../api/http/idempotency';
import { check } from '../../api/http/schema/validate';

const DAY_MS = 24 * 60 * 60 * 1000;

let api: TestApi;
let agentId: string;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());
beforeEach(() => {
  key = randomUUID();
  api.temporal.unreachable = false;
});

const REUSED = [422, 'IDEMPOTENCY_KEY_REUSED'];
const replayed = (answer: Answer): string | null => answer.headers.get('Idempotent-Replayed');

interface Sent {
  /** If null, no header is sent. */
  key?: string | null;
  as?: TestOrganization;
  headers?: Record<string, string>;
}

const headersOf = ({ key: own = key, headers = {} }: Sent): Record<string, string> => ({
  ...headers,
  ...(own === null ? {} : { 'Idempotency-Key': own }),
});

describe('a dispatch with an idempotency key', () => {
  const dispatch = (json: object = {}, sent: Sent = {}): Promise<Answer> =>
    api.ask('/api/trigger-call/', {
      json: { agent_id: agentId, contact_number: '+919876543210', name: 'Asha', ...json },
      headers: headersOf(sent),
      as: sent.as ?? api.organization,
    });
  const calls = (): Promise<number> => countOf(api, 'calls');
  const outcome = ({ status, body }: Answer): unknown[] => [status, body.error];

  test('returns the stored response to a repeated dispatch, and dials once', async () => {
    const before = await calls();
    const first = await dispatch();
    const again = await dispatch();
    expect(first.status).toBe(200);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    expect(await calls()).toBe(before + 1);
    expect(api.temporal.calls.filter(({ callId }) => callId === first.body.output.call_id)).toHaveLength(1);
  });

  test('places a call for each dispatch without a key', async () => {
    const before = await calls();
    await dispatch({}, { key: null });
    expect(replayed(await dispatch({}, { key: null }))).toBeNull();
    expect(await calls()).toBe(before + 2);
  });

  test('dials once when a dispatch is sent twenty times concurrently', async () => {
    const before = await calls();
    const answers = await Promise.all(Array.from({ length: 20 }, () => dispatch()));
    expect(await calls()).toBe(before + 1);
    const succeeded = answers.filter(({ status }) => status === 200);
    expect(new Set(succeeded.map(({ text }) => text)).size).toBe(1);
    const refused = answers.filter(({ status }) => status !== 200).map(outcome);
    for (const each of refused) expect(each).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
  });

  test('treats another field order, explicit defaults and unknown fields as the same request', async () => {
    const first = await dispatch({ metadata: { due: 5, city: 'Pune' } });
    const again = await dispatch({
      name: 'Asha',
      dnd_check_skipped: false,
      medium: 'telephony',
      metadata: { city: 'Pune', due: 5 },
      not_a_field: 1,
    });
    expect(again.text).toBe(first.text);
  });

  test.each<[string, object, Sent]>([
    ['name', { name: 'Ravi' }, {}],
    ['template variable', { metadata: { due: 6 } }, {}],
    ['change of the agent', { modify_agent: { persona: {} } }, {}],
    ['X-Agent-Id', {}, { headers: { 'X-Agent-Id': 'crm-8' } }],
  ])('treats another %s as a different request', async (_what, json, sent) => {
    await dispatch();
    const before = await calls();
    expect(outcome(await dispatch(json, sent))).toEqual(REUSED);
    expect(await calls()).toBe(before);
  });

  test('frees the key of a rejected dispatch for other requests', async () => {
    expect((await dispatch({ agent_id: 'nobody' })).status).toBe(404);
    expect((await dispatch({ contact_number: '12' })).status).toBe(422);
    const answer = await dispatch();
    expect([answer.status, replayed(answer)]).toEqual([200, null]);
  });

  test("accepts the same dispatch again immediately if Temporal couldn't start it", async () => {
    api.temporal.unreachable = true;
    expect(outcome(await dispatch())).toEqual([503, 'SERVICE_UNAVAILABLE']);
    api.temporal.unreachable = false;
    expect((await dispatch()).status).toBe(200);
  });

  test('accepts a key that another organization has used', async () => {
    const theirs = await newAgent(api, { as: api.stranger });
    const [mine, other] = [await dispatch(), await dispatch({ agent_id: theirs }, { as: api.stranger })];
    expect(other.status).toBe(200);
    expect(other.body.output.call_id).not.toBe(mine.body.output.call_id);
  });

  test('treats a dispatch as a new request after a day', async () => {
    const first = await dispatch();
    api.clock.time += DAY_MS;
    const next = await dispatch();
    api.clock.time -= DAY_MS;
    expect([next.status, replayed(next)]).toEqual([200, null]);
    expect(next.body.output.call_id).not.toBe(first.body.output.call_id);
  });

  test.each([
    ['empty', ''],
    ['of two words', 'a b'],
    ['longer than 255 characters', 'x'.repeat(256)],
  ])('returns 422 and dials nothing with a key that is %s', async (_what, wrong) => {
    const before = await calls();
    const { status, body } = await dispatch({}, { key: wrong });
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      { loc: ['header', 'Idempotency-Key'], msg: expect.any(String), type: expect.any(String) },
    ]);
    expect(await calls()).toBe(before);
  });
});

describe('creating a campaign with an idempotency key', () => {
  const create = (
    changes: Record<string, string> = {},
    {
      content = CONTACTS,
      filename = 'contacts.csv',
      ...sent
    }: Sent & { content?: string; filename?: string } = {},
  ): Promise<Answer> =>
    api.ask('/api/campaigns/create', {
      body: withFile(campaignForm(agentId, changes), content, filename),
      headers: headersOf(sent),
    });
  const campaigns = (): Promise<number> => countOf(api, 'campaigns');
  const outcome = ({ status, body }: Answer): unknown[] => [status, body.code];

  test('returns the identical response to a repeated request, and creates one campaign', async () => {
    const [before, files] = [await campaigns(), (await api.storedFiles()).length];
    const first = await create();
    await api.ask(`/api/campaigns/${first.body.id}/pause`, { method: 'POST' });
    const again = await create();
    expect(first.status).toBe(201);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    expect(await campaigns()).toBe(before + 1);
    expect(await api.storedFiles()).toHaveLength(files + 1);
  });

  test('treats another file name and explicit defaults as the same request', async () => {
    const first = await create();
    const again = await create({ max_retries: '3', perform_dnd_check: 'false' }, { filename: 'again.csv' });
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  test.each<[string, Record<string, string>, object]>([
    ['field', { campaign_name: 'December reminders' }, {}],
    ['file', {}, { content: `${CONTACTS}Mira,9876543212,Goa\n` }],
  ])(
    'rejects another %s as a different request, in the error shape of create',
    async (_what, changes, file) => {
      await create();
      const before = await campaigns();
      const answer = await create(changes, file);
      expect(outcome(answer)).toEqual(REUSED);
      expect(answer.body).toMatchObject({ status_code: 422, error: 'Unprocessable Entity' });
      expect(await campaigns()).toBe(before);
    },
  );

  test('frees the key of a rejected campaign', async () => {
    expect((await create({}, { content: 'name\nAsha\n' })).status).toBe(400);
    expect((await create()).status).toBe(201);
  });

  test('creates one campaign when the request is sent ten times concurrently', async () => {
    const before = await campaigns();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(await campaigns()).toBe(before + 1);
    for (const answer of answers) {
      if (answer.status !== 201) expect(outcome(answer)).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    }
  });

  test('rejects a campaign with the key of a dispatch', async () => {
    await api.ask('/api/trigger-call/', {
      json: { agent_id: agentId, contact_number: '+919876543210', name: 'Asha' },
      headers: headersOf({}),
    });
    expect(outcome(await create())).toEqual(REUSED);
  });

  test('rejects an empty key in the error shape of create', async () => {
    const { status, body } = await create({}, { key: '' });
    expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(body.details).toEqual([{ field: 'Idempotency-Key', reason: expect.any(String) }]);
  });
});

describe('an idempotency key', () => {
  const hex = (input: unknown, operation = 'dispatch'): string =>
    fingerprintOf(operation, input).toString('hex');

  test.each<[string, unknown, unknown]>([
    ['the order of fields', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['a field that is undefined', { a: 1, b: undefined }, { a: 1 }],
    ['the type of a buffer', Buffer.from('abc'), new Uint8Array([97, 98, 99])],
    ['the offset of bytes in memory', Buffer.from('xabc').subarray(1), Buffer.from('abc')],
    ['how a number is written', JSON.parse('1.0'), JSON.parse('1e0')],
  ])('ignores %s in the fingerprint of a request', (_title, one, other) => {
    expect(hex(one)).toBe(hex(other));
  });

  test.each<[string, unknown, unknown]>([
    ['another value', { a: 1 }, { a: 2 }],
    ['another type of the same text', { a: 1 }, { a: '1' }],
    ['null for a field that was absent', { a: null }, {}],
    ['the order of a list', [1, 2], [2, 1]],
    ['a field in another object', { a: { b: 1 }, c: {} }, { a: {}, c: { b: 1 } }],
    ['one byte of a file', { file: Buffer.from('abc') }, { file: Buffer.from('abd') }],
    ['text for a file', { file: Buffer.from('abc') }, { file: 'abc' }],
    ['a field called __proto__', JSON.parse('{"__proto__":{"a":1}}'), {}],
    ['lone surrogates', { a: '\ud800' }, { a: '\ud801' }],
  ])('changes the fingerprint of a request for %s', (_title, one, other) => {
    expect(hex(one)).not.toBe(hex(other));
  });

  test('changes the fingerprint of a request for another operation', () => {
    expect(hex({}, 'dispatch')).not.toBe(hex({}, 'campaign create'));
  });

  test.each([
    ['map', new Map([[1, 2]])],
    ['set', new Set([1])],
    ['bigint', 1n],
    ['function', () => 1],
  ])('throws for a %s, whose content the fingerprint would ignore', (_kind, value) => {
    expect(() => fingerprintOf('dispatch', { value })).toThrow('has no fingerprint');
  });

  const read = (header: unknown): unknown => check(idempotencyKey, header, 'header');

  test.each(['a', '~!"#', 'x'.repeat(255)])('accepts the key %s unchanged', (key) => {
    expect(read(key)).toEqual({ value: key });
  });

  test('treats a missing header as no key', () => {
    expect(read(undefined)).toEqual({ value: undefined });
  });

  test.each([
    ['an empty key', ''],
    ['a key with a space', 'a b'],
    ['two headers, as Node joins them', 'a, b'],
    ['two headers in a list', ['a', 'b']],
    ['a letter beyond ASCII', 'cl\u00e9'],
    ['a control character', 'a\u007f'],
    ['256 characters', 'x'.repeat(256)],
  ])('reports %s as one fault of the header, without repeating the value', (_title, header) => {
    const faults = [
      { loc: ['header'], msg: expect.not.stringContaining('cl\u00e9'), type: expect.any(String) },
    ];
    expect(read(header)).toEqual({ faults });
  });
});
