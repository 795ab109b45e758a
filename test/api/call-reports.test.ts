/** The agent's reports about a call's usage and callback, and how API clients see them. */
import { loadEndedCall } from '../../db/calls/conclusions';
import { newAgent, newCall } from './support/rows';
import { openTestApi, type Answer, type TestApi } from './support/test-api';

const SECRET = 'a-secret-of-the-carrier';
const SPOKEN = {
  kind: 'llm',
  provider: 'openai',
  model: 'gpt-4o-mini',
  input_tokens: 1_000,
  output_tokens: 100,
  requests: 2,
};
const HEARD = { kind: 'stt', provider: 'deepgram', model: 'nova', audio_ms: 60_000 };
const USAGE = { type: 'usage', models: [SPOKEN, HEARD], response_ms: [400, 800.4], interruptions: 2 };

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi({
    carrierSecret: SECRET,
    settings: {
      usageRates: {
        'openai/gpt-4o-mini': { input_per_million: 1, output_per_million: 10 },
        'deepgram/*': { audio_per_minute: 0.5 },
      },
    },
  });
  agentId = await newAgent(api);
});
afterAll(() => api.close());

const send = (reference: string, event: object, at = '2026-11-02T05:00:00.000Z'): Promise<Answer> =>
  api.ask('/api/carrier/events', {
    json: { carrier_id: 'c', reference, at, ...event },
    as: null,
    headers: { Authorization: `Bearer ${SECRET}` },
  });
const ended = (row: object = {}) =>
  newCall(api, {
    agent_id: agentId,
    stage: 'over',
    call_status: 'completed',
    end_reason: 'agent',
    answered_at: new Date(api.clock.time),
    ended_at: new Date(api.clock.time),
    ...row,
  });
const usageOf = async (callId: string) => (await api.ask(`/api/call_details/${callId}`)).body.usage;

describe('the reported usage', () => {
  test('returns the reported usage with its cost at the configured rates', async () => {
    const callId = await ended();
    expect((await send(callId, USAGE)).body).toEqual({ accepted: true });
    const unused = { cached_tokens: 0, characters: 0 };
    expect(await usageOf(callId)).toEqual({
      models: [
        { ...SPOKEN, ...unused, audio_ms: 0, purpose: 'conversation', cost: 0.002 },
        {
          ...HEARD,
          ...unused,
          input_tokens: 0,
          output_tokens: 0,
          requests: 0,
          purpose: 'conversation',
          cost: 0.5,
        },
      ],
      cost: 0.502,
    });
  });

  test('returns neither the cost nor the total if a model has no rate', async () => {
    const callId = await ended();
    await send(callId, { ...USAGE, models: [SPOKEN, { ...SPOKEN, model: 'gpt-5' }] });
    const { models, cost } = await usageOf(callId);
    expect([models.map((used: any) => used.cost), cost]).toEqual([[0.002, null], null]);
  });

  test('keeps the usage with the latest time, regardless of the order in which reports arrive', async () => {
    const callId = await ended();
    const models = (requests: number) => [{ ...SPOKEN, requests }];
    await send(callId, { ...USAGE, models: models(2) }, '2026-11-02T05:00:02.000Z');
    await send(callId, { ...USAGE, models: models(1) }, '2026-11-02T05:00:01.000Z');
    expect((await usageOf(callId)).models[0].requests).toBe(2);
    await send(callId, { ...USAGE, models: models(3) }, '2026-11-02T05:00:03.000Z');
    expect((await usageOf(callId)).models[0].requests).toBe(3);
  });

  test('stores the usage of a live call and of a concluded one', async () => {
    for (const row of [{ stage: 'placed', ended_at: null }, { concluded_at: new Date(api.clock.time) }]) {
      const callId = await ended(row);
      await send(callId, USAGE);
      expect((await usageOf(callId)).models).toHaveLength(2);
    }
  });

  test("passes the usage to the analysis with the agent's response times and interruptions", async () => {
    const callId = await ended();
    await send(callId, USAGE);
    expect((await loadEndedCall(api.db, callId))?.usage).toMatchObject({
      responseMs: [400, 800],
      interruptions: 2,
    });
  });

  test('accepts but discards a usage report for an unknown call', async () => {
    expect((await send('outbound-1-nobody', USAGE)).status).toBe(200);
    expect(await api.db('call_reports').where({ call_id: 'outbound-1-nobody' })).toEqual([]);
  });

  test('hides the usage from other organizations', async () => {
    const callId = await ended();
    await send(callId, USAGE);
    expect((await api.ask(`/api/call_details/${callId}`, { as: api.stranger })).status).toBe(404);
  });

  test('returns null when the agent reported no usage', async () => {
    expect(await usageOf(await ended())).toBeNull();
  });
});

describe('a requested callback', () => {
  test.each([
    ['at an instant', '2026-11-03T09:30:00Z', Date.parse('2026-11-03T09:30:00Z')],
    ['without a time', null, null],
  ])('passes a requested callback %s to the analysis', async (_when, callback_at, at) => {
    const callId = await ended();
    await send(callId, { type: 'callback', callback_at });
    expect((await loadEndedCall(api.db, callId))?.callback).toEqual({ at });
  });

  test('passes null to the analysis when the agent reported no callback', async () => {
    const callId = await ended();
    await send(callId, USAGE);
    expect((await loadEndedCall(api.db, callId))?.callback).toBeNull();
  });

  test('keeps the callback that was reported last', async () => {
    const callId = await ended();
    const [early, late] = ['2026-11-03T09:00:00Z', '2026-11-04T09:00:00Z'];
    await send(callId, { type: 'callback', callback_at: late }, '2026-11-02T05:00:02.000Z');
    await send(callId, { type: 'callback', callback_at: early }, '2026-11-02T05:00:01.000Z');
    expect((await loadEndedCall(api.db, callId))?.callback).toEqual({ at: Date.parse(late) });
  });
});

test.each<[string, object, string]>([
  ['models that are not a list', { ...USAGE, models: 'gpt' }, 'models'],
  ['no models', { type: 'usage' }, 'models'],
  ['an unknown kind', { ...USAGE, models: [{ ...SPOKEN, kind: 'vad' }] }, 'models.0.kind'],
  [
    'a negative number of tokens',
    { ...USAGE, models: [{ ...SPOKEN, input_tokens: -1 }] },
    'models.0.input_tokens',
  ],
  ['half an interruption', { ...USAGE, interruptions: 0.5 }, 'interruptions'],
  ['a negative response time', { ...USAGE, response_ms: [-5] }, 'response_ms.0'],
  ['a malformed instant', { type: 'callback', callback_at: 'tomorrow' }, 'callback_at'],
])('returns 422 and names the field for %s', async (_what, event, field) => {
  const { status, body } = await send(await ended(), event);
  expect([status, body.detail[0].loc]).toEqual([422, ['body', field]]);
});
