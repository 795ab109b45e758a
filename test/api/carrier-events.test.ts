/** Events of a carrier that sends arbitrary data. */
import fc from 'fast-check';
import { END_REASONS } from '../../domain/call-outcome';
import { hostileJson, hostileText, instantText, jsonText } from './fuzz/hostile';
import { newAgent, newCall } from './support/rows';
import { openTestApi, type Answer, type TestApi } from './support/test-api';

const SECRET = 'a-secret-of-the-carrier';
const SEED = 20_261_102;
/** Enough rounds for several times as many events as one statement writes. */
const ROUNDS = 6;
const AT_ONCE = 200;

jest.setTimeout(60_000);

let api: TestApi;
let agentId: string;
let references: string[];

beforeAll(async () => {
  api = await openTestApi({ carrierSecret: SECRET });
  agentId = await newAgent(api, {
    config: { deployment: { phone: { call_type: { Inbound: INBOUND.to } } } },
  });
  references = await Promise.all(
    Array.from({ length: 20 }, (_each, n) =>
      newCall(api, {
        call_id: `outbound-1-call${n}`,
        agent_id: agentId,
        stage: 'placed',
        call_status: 'dialing',
      }),
    ),
  );
});
afterAll(() => api.close());

const send = (body: string): Promise<Answer> =>
  api.ask('/api/carrier/events', {
    body,
    as: null,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${SECRET}` },
  });

const NOW = '2026-11-02T05:00:00.000Z';
const INBOUND = { type: 'inbound', to: '+918040001000', from: '+919876543210' };
const event = (reference: string, fields: object): object => ({
  carrier_id: 'c-1',
  reference,
  at: NOW,
  ...fields,
});

function events(): fc.Arbitrary<object> {
  const kinds = fc.oneof(
    fc.constantFrom<object>({ type: 'dialing' }, { type: 'ringing' }, INBOUND),
    fc.constantFrom('human', 'machine', null).map((answered_by) => ({ type: 'answered', answered_by })),
    fc.constantFrom(...END_REASONS).map((end_reason) => ({ type: 'ended', end_reason })),
    fc
      .tuple(fc.nat(2_147_483_647), fc.nat(2_147_483_647), fc.string({ unit: 'grapheme' }))
      .map(([start_ms, end_ms, text]) => ({ type: 'segment', speaker: 'user', start_ms, end_ms, text })),
    fc
      .tuple(
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
      )
      .map(([interrupted, confidence, language]) => ({
        ...{ type: 'segment', speaker: 'agent', start_ms: 0, end_ms: 0, text: '' },
        ...{ interrupted, confidence, language },
      })),
    fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 }).map((texts) => ({
      type: 'live',
      news: texts.map((text) => ({ kind: 'transcript', speaker: 'user', text, at: NOW })),
    })),
  );
  const instants = fc.oneof(
    { arbitrary: fc.constant(NOW), weight: 3 },
    { arbitrary: instantText, weight: 1 },
  );
  const whole = fc
    .tuple(fc.constantFrom(...references, 'outbound-1-unknown'), kinds, instants)
    .map(([reference, fields, at]) => event(reference, { ...fields, at }));
  const names = fc.constantFrom(
    'type',
    'carrier_id',
    'reference',
    'at',
    'text',
    'start_ms',
    'end_ms',
    'answered_by',
    'news',
    'interrupted',
    'confidence',
    'language',
    'to',
    'from',
  );
  const spoiled = fc
    .tuple(whole, names, fc.oneof(hostileJson, hostileText))
    .map(([fields, name, value]) => ({ ...fields, [name]: value }));
  return fc.oneof({ arbitrary: whole, weight: 3 }, { arbitrary: spoiled, weight: 2 });
}

test(`returns no 5xx for ${ROUNDS * AT_ONCE} valid and invalid events`, async () => {
  const sample = fc.sample(events(), { seed: SEED, numRuns: ROUNDS * AT_ONCE });
  const statuses: Record<number, number> = {};
  const faults: string[] = [];
  while (sample.length > 0) {
    const bodies = sample.splice(0, AT_ONCE).map(jsonText);
    const answers = await Promise.all(bodies.map(send));
    for (const [index, { status, text }] of answers.entries()) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status >= 500) faults.push(`${text} ${(bodies[index] ?? '').slice(0, 500)}`);
    }
  }
  expect(faults.slice(0, 10)).toEqual([]);
  expect(Object.keys(statuses)).toEqual(['200', '422']);
});

const newPlaced = (): Promise<string> =>
  newCall(api, { agent_id: agentId, stage: 'placed', call_status: 'dialing' });

describe("an event written together with other calls' events", () => {
  const SEGMENT = { type: 'segment', speaker: 'user', text: 'hello', start_ms: 0, end_ms: 1 };

  test.each<[string, object]>([
    ['a time outside the calendar', { type: 'ringing', at: '0000-01-01T00:00:00Z' }],
    ['a carrier id with a NUL', { type: 'ringing', carrier_id: 'c-\0' }],
    ['a carrier id with half a surrogate pair', { type: 'ringing', carrier_id: 'c-\ud800' }],
    ['a carrier id of more than 200 characters', { type: 'ringing', carrier_id: 'c'.repeat(201) }],
    ['a start beyond 32 bits', { ...SEGMENT, start_ms: 2 ** 31 }],
    ['a confidence above 1', { ...SEGMENT, confidence: 1.000001 }],
  ])('rejects only the event with %s', async (_name, fault) => {
    const [sound, unsound] = [await newPlaced(), await newPlaced()];
    const answers = await Promise.all([
      send(jsonText(event(sound, { type: 'answered', answered_by: 'human' }))),
      send(jsonText(event(unsound, fault))),
      send(jsonText(event(sound, SEGMENT))),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 200]);
    const row = await api.db('calls').where({ call_id: sound }).first();
    expect([row.answered_at, row.emitted_segments]).toEqual([new Date(NOW), 1]);
  });

  test.each([1e-50, 5e-324, 1e-7, 0.1 + 0.2, 1 - 2 ** -53, -0, 0, 1, null])(
    'stores a segment with a confidence of %p',
    async (confidence) => {
      const [one, other] = [await newPlaced(), await newPlaced()];
      const answers = await Promise.all([
        send(jsonText(event(one, { ...SEGMENT, confidence }))),
        send(jsonText(event(other, { type: 'answered', answered_by: 'human' }))),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const stored = await api.db('call_segments').where({ call_id: one }).first();
      if (confidence === null) expect(stored.confidence).toBeNull();
      else expect(stored.confidence).toBeCloseTo(confidence, 5);
    },
  );

  test('removes NUL and half a surrogate pair from a segment', async () => {
    const callId = await newPlaced();
    const said = { ...SEGMENT, text: 'a\0b\ud83d', language: 'hi\0' };
    expect((await send(jsonText(event(callId, said)))).status).toBe(200);
    const stored = await api.db('call_segments').where({ call_id: callId }).first();
    expect([stored.text, stored.language]).toEqual(['ab', 'hi']);
  });

  test('fails only the event that the database rejects', async () => {
    await api.db.raw("alter table call_segments add constraint refuses_bad check (text <> 'bad')");
    const [sound, unsound] = [await newPlaced(), await newPlaced()];
    const answers = await Promise.all([
      send(jsonText(event(sound, { type: 'answered', answered_by: 'human' }))),
      send(jsonText(event(unsound, { ...SEGMENT, text: 'bad' }))),
      send(jsonText(event(unsound, { type: 'ended', end_reason: 'agent' }))),
    ]);
    await api.db.raw('alter table call_segments drop constraint refuses_bad');
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
    const row = await api.db('calls').where({ call_id: unsound }).first();
    expect(row.stage).toBe('over');
  });
});

test('rejects every event without the secret, always with the same response', async () => {
  const body = jsonText(event(references[0] ?? '', { type: 'ringing' }));
  const wrong = [
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${SECRET}x`,
    `Bearer ${SECRET.slice(1)}`,
    SECRET,
    `Basic ${SECRET}`,
    'x'.repeat(8000),
  ];
  const answers = await Promise.all(
    wrong.map((Authorization) =>
      api.ask('/api/carrier/events', {
        body,
        as: null,
        headers: { 'Content-Type': 'application/json', Authorization },
      }),
    ),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(401);
});

test.each([
  [
    'bills nothing and counts a failure of the carrier when the phone sent no audio',
    true,
    { call_cost: 0 },
    1,
    1,
  ],
  [
    'bills a call that had audio before it dropped, and counts no failure of the carrier',
    false,
    { call_cost: 1 },
    0,
    0,
  ],
])('%s', async (_what, no_audio, cost, failed, counted) => {
  const callId = await newCall(api, {
    call_id: `outbound-3-${no_audio}`,
    agent_id: agentId,
    stage: 'placed',
    call_status: 'in progress',
    requested_at: new Date(Date.parse(NOW) - 20_000),
    answered_at: new Date(Date.parse(NOW) - 8_000),
  });
  const counter = async () =>
    (await api.scrape()).match(/^voice_agent_calls_without_audio_total (\d+)$/m)?.[1];
  const before = Number(await counter());
  await send(
    jsonText(event(callId, { type: 'ended', end_reason: 'dropped', answered_by: 'unknown', no_audio })),
  );
  const row = await api.db('calls').where({ call_id: callId }).first();
  expect(row).toMatchObject({ call_status: 'error', end_reason: 'dropped', will_retry: false, ...cost });
  const { recent_dials } = await api.db('organizations').where({ id: row.organization_id }).first();
  expect(recent_dials.at(-1)).toBe(String(failed));
  expect(Number(await counter()) - before).toBe(counted);
});
