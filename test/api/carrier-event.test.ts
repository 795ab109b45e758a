import { readCarrierEvent } from '../../api/carriers/http/event';
import { END_REASONS } from '../../domain/call-outcome';
import { MONDAY, openTestApi, type Answer, type TestApi } from './support/test-api';
import { newAgent, newCall } from './support/rows';
import { TIME_REPLACED } from '../../runtime/observability/call-metrics';

const SAID = 'my card number is 4111';
const common = {
  event_id: 'e-1',
  carrier_id: 'sim-1',
  reference: 'outbound-1762147200-abc',
  to: '+919876543210',
  from: null,
  at: '2026-11-03T05:00:00.123Z',
};
const known = { reference: common.reference, carrierId: 'sim-1', at: common.at };
const segment = { ...common, type: 'segment', speaker: 'user', text: SAID, start_ms: 10, end_ms: 900 };

describe('readCarrierEvent()', () => {
  test.each(['dialing', 'ringing'])('reads %s', (type) => {
    expect(readCarrierEvent({ ...common, type })).toEqual({ event: { ...known, type } });
  });

  test.each(['human', 'machine', 'unknown'])('reads answered by %s', (answeredBy) => {
    expect(readCarrierEvent({ ...common, type: 'answered', answered_by: answeredBy })).toEqual({
      event: { ...known, type: 'answered', answeredBy },
    });
  });

  test.each(['dialing', 'ringing', 'answered', 'ended'])('reads the caller ID from %s', (type) => {
    const read = (from: unknown) => {
      const { event } = readCarrierEvent({ ...common, type, end_reason: 'agent', from }) as { event: object };
      return 'fromNumber' in event ? event.fromNumber : null;
    };
    expect(read('+918040000001')).toBe('+918040000001');
    // A number in another form is dropped, but the event is kept.
    expect([null, '', 'anonymous', '080 4000', 5, {}].map(read)).toEqual(Array(6).fill(null));
  });

  test('reads answered without the answering party as answered by unknown', () => {
    expect(readCarrierEvent({ ...common, type: 'answered' })).toEqual({
      event: { ...known, type: 'answered', answeredBy: 'unknown' },
    });
  });

  const said = { speaker: 'user', text: SAID, startMs: 10, endMs: 900 };
  test('reads a segment', () => {
    const nothingMore = { interrupted: false, confidence: null, language: null };
    expect(readCarrierEvent(segment)).toEqual({
      event: { ...known, type: 'segment', segment: { ...said, ...nothingMore } },
    });
  });

  test('reads an interruption, a confidence and a language of a segment', () => {
    const more = { interrupted: true, confidence: 0.9, language: 'hi' };
    expect(readCarrierEvent({ ...segment, ...more })).toEqual({
      event: { ...known, type: 'segment', segment: { ...said, ...more } },
    });
  });

  test("removes NUL from a segment, because Postgres can't store it, and accepts an empty text", () => {
    const read = (text: string) => readCarrierEvent({ ...segment, text });
    expect(read('a\0b')).toMatchObject({ event: { segment: { text: 'ab' } } });
    expect(read('')).toMatchObject({ event: { segment: { text: '' } } });
  });

  test.each(END_REASONS)('reads ended by %s', (reason) => {
    const body = { ...common, type: 'ended', end_reason: reason, sip_status: 200, answered_by: null };
    expect(readCarrierEvent(body)).toEqual({
      event: { ...known, type: 'ended', endReason: reason, answeredBy: null },
    });
  });

  describe('an inbound event', () => {
    const { reference: _none, ...reported } = { ...common, type: 'inbound', to: '+918040001000' };
    const callerOf = (changes: object) => {
      const read = readCarrierEvent({ ...reported, from: '+919876543210', ...changes });
      return 'event' in read && read.event.type === 'inbound' ? read.event.caller : read;
    };

    test('reads an inbound event without a reference', () => {
      const caller = { carrierId: 'sim-1', to: '+918040001000', from: '+919876543210', at: common.at };
      expect(callerOf({})).toEqual(caller);
    });

    test.each([
      '918040001000',
      '00918040001000',
      '+91 80 4000 1000',
      '+91-80-4000-1000',
      'sip:+918040001000',
    ])('reads our number in every notation: %s', (to) => {
      expect(callerOf({ to })).toMatchObject({ to: '+918040001000' });
    });

    test.each([undefined, null, '', ' ', 'anonymous', 'Restricted'])(
      'reads a withheld number as null: %s',
      (from) => {
        expect(callerOf({ from })).toMatchObject({ from: null });
      },
    );

    test("keeps the caller's number as sent, except for what Postgres can't store", () => {
      expect(callerOf({ from: ' 1860\0 \ud800' })).toMatchObject({ from: '1860' });
    });
  });

  test("ignores fields that the protocol doesn't name", () => {
    expect(readCarrierEvent({ ...common, type: 'ringing', x: 1, text: 7 })).toEqual({
      event: { ...known, type: 'ringing' },
    });
  });
});

describe('an invalid event', () => {
  const ended = { ...common, type: 'ended', end_reason: 'agent' };
  test.each<[string, unknown, string[]]>([
    ['an empty object', {}, ['type', 'carrier_id', 'reference', 'at']],
    ['a list', [], ['body']],
    ['a text', 'ringing', ['body']],
    ['a caller without a called number', { ...common, type: 'inbound', to: undefined }, ['to']],
    ['a caller with a malformed called number', { ...common, type: 'inbound', to: 'us' }, ['to']],
    ['a caller with a number of another type', { ...common, type: 'inbound', to: '1', from: 7 }, ['from']],
    ['an unknown type', { ...common, type: 'exploded' }, ['type']],
    ['no carrier id', { ...ended, carrier_id: undefined }, ['carrier_id']],
    ['no reference', { ...ended, reference: undefined }, ['reference']],
    ['a malformed reference', { ...ended, reference: "x'; drop table" }, ['reference']],
    ['a malformed instant', { ...ended, at: 'yesterday' }, ['at']],
    ['an instant in a year that Postgres does not know', { ...ended, at: '0000-01-01T00:00:00Z' }, ['at']],
    ['a day that does not exist', { ...ended, at: '2026-02-30T00:00:00Z' }, ['at']],
    ['a week', { ...ended, at: '2026-W10' }, ['at']],
    ['an instant as a number', { ...ended, at: 1762147200000 }, ['at']],
    ['an end without its reason', { ...ended, end_reason: undefined }, ['end_reason']],
    ['an end reason that only the platform uses', { ...ended, end_reason: 'lines_busy' }, ['end_reason']],
    ['a segment with text instead of a time', { ...segment, start_ms: '10' }, ['start_ms']],
    ['a segment before the answer', { ...segment, start_ms: -1 }, ['start_ms']],
    ['a segment with a time too large for the column', { ...segment, end_ms: 2 ** 31 }, ['end_ms']],
    ['a segment without its text', { ...segment, text: undefined }, ['text']],
    ['a segment with an unknown speaker', { ...segment, speaker: SAID }, ['speaker']],
    [
      'several faults',
      { ...segment, speaker: SAID, start_ms: SAID, at: SAID },
      ['at', 'speaker', 'start_ms'],
    ],
  ])('rejects %s and names the invalid fields', (_what, body, faults) => {
    const read = readCarrierEvent(body);
    expect('faults' in read && [...read.faults].sort()).toEqual([...faults].sort());
  });

  test('reports faults without values, because values may contain what was said', () => {
    const body = { ...segment, type: SAID, reference: SAID, at: SAID, speaker: SAID, answered_by: SAID };
    expect(JSON.stringify(readCarrierEvent(body))).not.toContain(SAID);
  });
});

describe('an event with an impossible time', () => {
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
      const line =
        api.logLines().find((each) => each.includes(TIME_REPLACED) && each.includes(callId)) ?? '{}';
      expect(JSON.parse(line)).toMatchObject({ call_id: callId, event: 'answered' });
      expect(line).not.toContain('98765');
    });
  });

  test.each(['1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'uses the time of our clock instead of %s for a lost phone, a usage report, a callback request and a caller',
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
});
