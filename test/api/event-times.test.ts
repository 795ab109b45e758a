/** Events with impossible times. */
import { MONDAY, openTestApi, type Answer, type TestApi } from './support/test-api';
import { newAgent, newCall } from './support/rows';
import { TIME_REPLACED } from '../../runtime/observability/call-metrics';

const SECRET = 'a-secret-of-the-carrier';
const TALK_MS = 90_000;
/** The call was dialled ten minutes after it was accepted, and rang for ten seconds. */
const DIALLED = MONDAY + 600_000;
const ANSWERED = DIALLED + 10_000;
const ENDED = ANSWERED + TALK_MS;
const NUMBER = '+918040001000';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi({ carrierSecret: SECRET });
  agentId = await newAgent(api, { config: { deployment: { phone: { call_type: { Inbound: NUMBER } } } } });
});
afterAll(() => api.close());
beforeEach(() => {
  api.clock.time = MONDAY;
});

const iso = (ms: number): string => new Date(ms).toISOString();
const send = (reference: string | undefined, fields: object): Promise<Answer> =>
  api.ask('/api/carrier/events', {
    json: { carrier_id: 'c-1', ...(reference !== undefined && { reference }), ...fields },
    as: null,
    headers: { Authorization: `Bearer ${SECRET}` },
  });
const dialled = (): Promise<string> =>
  newCall(api, {
    agent_id: agentId,
    stage: 'placed',
    call_status: 'dialing',
    accepted_at: new Date(MONDAY),
    requested_at: new Date(DIALLED),
  });
const rowOf = (callId: string) => api.db('calls').where({ call_id: callId }).first();
const replaced = async (event: string): Promise<number> => {
  const found = new RegExp(`^voice_agent_event_times_replaced_total\\{event="${event}"\\} (\\d+)$`, 'm');
  return Number(found.exec(await api.scrape())?.[1] ?? 0);
};
/** Sends an answer and an end at the right times of our clock, but with the given event times. */
async function talk(callId: string, { answeredAt = iso(ANSWERED), endedAt = iso(ENDED) } = {}) {
  api.clock.time = ANSWERED;
  await send(callId, { type: 'answered', answered_by: 'human', at: answeredAt });
  api.clock.time = ENDED;
  await send(callId, { type: 'ended', end_reason: 'callee', at: endedAt });
  return rowOf(callId);
}

describe('the times of an answer and an end', () => {
  test("keeps plausible times, and doesn't count them as replaced", async () => {
    const row = await talk(await dialled());
    expect([row.duration_ms, row.call_cost]).toEqual([TALK_MS, 2]);
    expect([await replaced('answered'), await replaced('ended')]).toEqual([0, 0]);
  });

  test('keeps times that arrive half a minute late', async () => {
    const callId = await dialled();
    api.clock.time = ENDED + 31_000;
    await send(callId, { type: 'answered', at: iso(ANSWERED) });
    await send(callId, { type: 'ended', end_reason: 'callee', at: iso(ENDED) });
    const row = await rowOf(callId);
    expect([row.answered_at, row.ended_at]).toEqual([new Date(ANSWERED), new Date(ENDED)]);
  });

  test.each([
    ['answered in 1970', { answeredAt: '1970-01-01T00:00:00Z' }],
    ['answered in 9999', { answeredAt: '9999-12-31T23:59:59Z' }],
    ['answered between acceptance and dial', { answeredAt: iso(MONDAY + 1) }],
    ['ended in 1970', { endedAt: '1970-01-01T00:00:00Z' }],
    ['ended in 9999', { endedAt: '9999-12-31T23:59:59Z' }],
    ['ended before the answer', { endedAt: iso(DIALLED + 1_000) }],
    ['an hour late', { answeredAt: iso(ANSWERED + 3_600_000), endedAt: iso(ENDED + 3_600_000) }],
    ['an hour early', { answeredAt: iso(ANSWERED - 3_600_000), endedAt: iso(ENDED - 3_600_000) }],
  ])('charges by our clock when the events report %s', async (_says, times) => {
    const row = await talk(await dialled(), times);
    expect([row.duration_ms, row.call_cost]).toEqual([TALK_MS, 2]);
  });

  test('charges no more than the time since the dial when the answer arrives after the end', async () => {
    const callId = await dialled();
    api.clock.time = ENDED;
    await send(callId, { type: 'ended', end_reason: 'callee', at: iso(ENDED) });
    await send(callId, { type: 'answered', at: '1970-01-01T00:00:00Z' });
    expect((await rowOf(callId)).duration_ms).toBe(0);
  });

  test('counts and logs replaced times without a phone number', async () => {
    const [before, callId] = [await replaced('answered'), await dialled()];
    await talk(callId, { answeredAt: '1970-01-01T00:00:00Z' });
    expect(await replaced('answered')).toBe(before + 1);
    const line = api.logLines().find((each) => each.includes(TIME_REPLACED) && each.includes(callId)) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ call_id: callId, event: 'answered' });
    expect(line).not.toContain('98765');
  });
});

test.each(['1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  'uses our clock for a lost phone, a usage report, a callback request and a caller with the time %s',
  async (at) => {
    const callId = await dialled();
    api.clock.time = ANSWERED;
    await send(callId, { type: 'lost', by: 'bridge', at });
    await send(callId, { type: 'usage', models: [], at });
    await send(callId, { type: 'callback', callback_at: null, at });
    const caller = await send(undefined, {
      type: 'inbound',
      carrier_id: `c-${at}`,
      to: NUMBER,
      from: null,
      at,
    });
    const report = await api.db('call_reports').where({ call_id: callId }).first();
    const rang = await rowOf(caller.body.reference as string);
    expect([
      (await rowOf(callId)).orphaned_at,
      report.usage_at,
      report.callback_requested_at,
      rang.ringing_at,
    ]).toEqual(Array.from({ length: 4 }, () => new Date(ANSWERED)));
  },
);
