import { readCarrierEvent } from '../../api/carriers/http/event';
import { END_REASONS } from '../../domain/call-outcome';

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
